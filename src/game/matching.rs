//! Whether needs can be met, each by a thing of its own: a flow from needs to kinds of things. Trying all ways would
//! take twice as long with every two-coloured card.

/// How many of the needs can be met at once: `needs` and `kinds` say how many there are of each, `fits` which kind
/// meets which need.
pub fn met(needs: &[usize], kinds: &[usize], fits: impl Fn(usize, usize) -> bool) -> usize {
    let mut flow = Flow { free: kinds.to_vec(), used: vec![0; kinds.len() * needs.len()], fits };
    let mut seen = vec![false; kinds.len()];
    let mut met = 0;
    for (need, &wanted) in needs.iter().enumerate() {
        let mut left = wanted;
        while left > 0 {
            seen.fill(false);
            let more = flow.push(need, left, &mut seen);
            if more == 0 {
                break;
            }
            left -= more;
            met += more;
        }
    }
    met
}

struct Flow<F> {
    free: Vec<usize>,
    /// How many of a kind meet a need: need by need, as many as there are kinds.
    used: Vec<usize>,
    fits: F,
}

impl<F: Fn(usize, usize) -> bool> Flow<F> {
    /// Meets a need up to so many times, moving other needs to other kinds where that helps; says how many times.
    fn push(&mut self, need: usize, most: usize, seen: &mut [bool]) -> usize {
        let kinds = self.free.len();
        for kind in 0..kinds {
            if seen[kind] || !(self.fits)(need, kind) {
                continue;
            }
            seen[kind] = true;
            let mut got = self.free[kind].min(most);
            if got > 0 {
                self.free[kind] -= got;
            } else {
                got = (0..self.used.len() / kinds)
                    .filter(|other| *other != need)
                    .find_map(|other| {
                        let held = self.used[other * kinds + kind].min(most);
                        let moved = if held > 0 { self.push(other, held, seen) } else { 0 };
                        self.used[other * kinds + kind] -= moved;
                        (moved > 0).then_some(moved)
                    })
                    .unwrap_or(0);
            }
            if got > 0 {
                self.used[need * kinds + kind] += got;
                return got;
            }
        }
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By trying everything: each need, one at a time, with every kind or with none.
    fn tried(needs: &[usize], kinds: &[usize], fits: &dyn Fn(usize, usize) -> bool) -> usize {
        let Some((&need, rest)) = needs.split_first() else { return 0 };
        let mut best = tried(rest, kinds, fits);
        for kind in (0..kinds.len()).filter(|k| kinds[*k] > 0 && fits(need, *k)) {
            let mut less = kinds.to_vec();
            less[kind] -= 1;
            best = best.max(1 + tried(rest, &less, fits));
        }
        best
    }

    #[test]
    fn as_many_as_by_trying_everything() {
        // Every table of 3 needs and 3 kinds, with a few counts.
        for table in 0..512usize {
            let fits = |n: usize, k: usize| table >> (n * 3 + k) & 1 == 1;
            for (needs, kinds) in [([1, 1, 1], [1, 1, 1]), ([2, 1, 1], [1, 2, 1]), ([1, 2, 0], [2, 0, 1])] {
                let each: Vec<usize> = (0..3).flat_map(|n| std::iter::repeat_n(n, needs[n])).collect();
                assert_eq!(met(&needs, &kinds, fits), tried(&each, &kinds, &fits), "{table} {needs:?} {kinds:?}");
            }
        }
    }

    #[test]
    fn many_of_two_colours_take_no_time() {
        let fits = |n: usize, k: usize| k % 5 == n || k / 5 == n;
        assert_eq!(met(&[200, 200, 200, 200, 201], &[40; 25], fits), 1000);
    }
}
