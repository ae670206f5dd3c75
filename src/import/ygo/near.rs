//! How unlike two texts are: the number of characters to put in, take out or change.

/// The distance of `pattern` to the nearest beginning of `text`, if it is at most `most`.
pub fn opening(pattern: &[char], text: impl Iterator<Item = char>, most: usize) -> Option<usize> {
    let mut column: Vec<usize> = (0..=pattern.len()).collect();
    let mut best = pattern.len();
    for c in text.take(pattern.len() + most) {
        step(&mut column, pattern, c);
        best = best.min(column[pattern.len()]);
    }
    (best <= most).then_some(best)
}

/// The distance of two whole texts.
pub fn distance(a: &[char], b: &[char]) -> usize {
    let mut column: Vec<usize> = (0..=a.len()).collect();
    b.iter().for_each(|c| step(&mut column, a, *c));
    column[a.len()]
}

/// From 0 (nothing in common) to 1 (equal).
pub fn likeness(a: &[char], b: &[char]) -> f32 {
    let longer = a.len().max(b.len());
    if longer == 0 { 0.0 } else { 1.0 - distance(a, b) as f32 / longer as f32 }
}

/// The next column of the table of distances, for one more character of the text.
fn step(column: &mut [usize], pattern: &[char], c: char) {
    let mut diagonal = column[0];
    column[0] += 1;
    for (i, p) in pattern.iter().enumerate() {
        let cost = (diagonal + usize::from(*p != c)).min(column[i] + 1).min(column[i + 1] + 1);
        diagonal = std::mem::replace(&mut column[i + 1], cost);
    }
}
