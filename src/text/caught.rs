//! A fault of ours is caught at the border of what was asked: it is said as such, and everything else goes on.

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;

thread_local! {
    /// How many borders this thread is inside of.
    static INSIDE: Cell<usize> = const { Cell::new(0) };
    /// Where the last panic of this thread was.
    static PLACE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// What was asked, or where in the code it broke. Nothing is printed.
pub fn caught<T>(ask: impl FnOnce() -> T) -> Result<T, String> {
    listen();
    INSIDE.set(INSIDE.get() + 1);
    // What the closure touched is given up with it.
    let answer = catch_unwind(AssertUnwindSafe(ask));
    INSIDE.set(INSIDE.get() - 1);
    answer.map_err(|_| PLACE.take())
}

/// The same with words for the user.
pub fn or_fault<T>(ask: impl FnOnce() -> T) -> Result<T, String> {
    caught(ask).map_err(|place| {
        format!("saiteiの不具合で、途中で止まりました（{place}）。この内容を添えて開発者に知らせてください")
    })
}

/// Panics inside of a border are noted instead of printed.
fn listen() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let print = take_hook();
        set_hook(Box::new(move |info| {
            if INSIDE.get() > 0 {
                let place = info.location().map(|at| format!("{}:{}", at.file(), at.line())).unwrap_or_default();
                PLACE.replace(place);
            } else {
                print(info);
            }
        }));
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_a_fault_with_its_place() {
        assert_eq!(caught(|| 3), Ok(3));
        let nothing = || Option::<u8>::None;
        let said = or_fault(|| caught(|| nothing().expect("something")).map_err(|e| panic!("{e}"))).unwrap_err();
        assert!(said.contains("caught.rs:") && said.contains("不具合"), "{said}");
    }
}
