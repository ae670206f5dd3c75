//! A list of items packed so that one is read without the others: how many there are, where each ends, the items.

/// A list that [`pack`] made. What lies outside it is not there.
#[derive(Clone, Copy, Debug)]
pub struct Packed(&'static [u8]);

impl Packed {
    pub fn new(bytes: &'static [u8]) -> Packed {
        Packed(bytes)
    }

    pub fn len(self) -> usize {
        self.number(0).unwrap_or(0)
    }

    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    pub fn get(self, place: usize) -> Option<&'static [u8]> {
        let count = self.len();
        let start = if place == 0 { 0 } else { self.number(place)? };
        let items = self.0.get((count + 1) * 4..)?;
        (place < count).then(|| items.get(start..self.number(place + 1)?))?
    }

    pub fn iter(self) -> impl Iterator<Item = &'static [u8]> {
        (0..self.len()).filter_map(move |place| self.get(place))
    }

    fn number(self, place: usize) -> Option<usize> {
        let bytes = self.0.get(place * 4..place * 4 + 4)?;
        Some(u32::from_le_bytes(bytes.try_into().ok()?) as usize)
    }
}

pub fn pack(items: impl IntoIterator<Item = Vec<u8>>) -> Vec<u8> {
    let mut ends: Vec<u32> = Vec::new();
    let mut packed = Vec::new();
    for item in items {
        packed.extend(item);
        ends.push(packed.len() as u32);
    }
    let head = std::iter::once(ends.len() as u32).chain(ends.iter().copied());
    head.flat_map(u32::to_le_bytes).chain(packed).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_read_back_one_by_one() {
        let items = [b"one".to_vec(), Vec::new(), b"three".to_vec()];
        let bytes: &'static [u8] = pack(items.clone()).leak();
        let list = Packed::new(bytes);
        assert_eq!(list.iter().collect::<Vec<_>>(), items);
        assert_eq!(list.get(3), None);
        assert!(Packed::new(&[]).is_empty());
        // Cut short, it loses items but nothing worse.
        (0..bytes.len()).for_each(|end| assert!(Packed::new(&bytes[..end]).iter().count() <= 3));
    }
}
