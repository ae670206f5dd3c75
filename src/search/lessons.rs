//! Lines that people ask, as lessons: each turns its words and the clauses until it points to its own clause rather than
//! to another of its game.
//!
//! Which clause a line points to is a matter of likelihood: the nearer a clause is, the likelier. A lesson makes its own
//! clause likelier and the others that came near less so, in steps that grow smaller as a word or clause has been turned.

use super::sense::DIRECTIONS;

/// Where something points.
pub type Point = [f32; DIRECTIONS];

/// Keys, each with its weight.
pub type Row = Vec<(usize, f32)>;

/// A line: the clause that it leads to, and what it says.
pub struct Lesson {
    pub clause: usize,
    pub row: Row,
}

/// How often all lessons are gone through; more of it learns the lines by heart.
const TIMES: usize = 3;

/// How many lessons are gone through at a time.
const AT_ONCE: usize = 128;

/// How much likelier it makes a clause to be near.
const SHARP: f32 = 8.0;

/// A clause that is less likely than this is left where it is.
const UNLIKELY: f32 = 0.002;

/// How far words and clauses are turned.
const STEP: f32 = 0.02;

/// Teaches lessons of games that have so many clauses each.
pub fn teach(lessons: &[Lesson], games: &[usize], words: &mut [Point], clauses: &mut [Point]) {
    let mut words = Turned::new(words);
    let mut clauses = Turned::new(clauses);
    let starts: Vec<usize> = games.iter().scan(0, |end, count| Some(std::mem::replace(end, *end + count))).collect();
    let game = |lesson: &Lesson| starts.partition_point(|start| *start <= lesson.clause) - 1;
    let mut order: Vec<usize> = (0..lessons.len()).filter(|i| !lessons[*i].row.is_empty()).collect();
    let mut dice = Dice(1);
    for _ in 0..TIMES {
        dice.shuffle(&mut order);
        order.sort_by_key(|i| game(&lessons[*i]));
        let mut classes: Vec<Vec<usize>> = Vec::new();
        for of_game in order.chunk_by(|a, b| game(&lessons[*a]) == game(&lessons[*b])) {
            classes.extend(of_game.chunks(AT_ONCE).map(<[usize]>::to_vec));
        }
        dice.shuffle(&mut classes);
        for class in classes {
            let game = game(&lessons[class[0]]);
            let class: Vec<&Lesson> = class.into_iter().map(|i| &lessons[i]).collect();
            lesson(&class, starts[game]..starts[game] + games[game], &mut words, &mut clauses);
        }
    }
}

/// Lessons of a game, whose clauses are those of a range.
fn lesson(class: &[&Lesson], among: std::ops::Range<usize>, words: &mut Turned, clauses: &mut Turned) {
    let units: Vec<(Point, f32)> = clauses.points[among.clone()].iter().map(in_units).collect();
    let mut likely = vec![0.0f32; among.len()];
    for lesson in class {
        let (line, length) = in_units(&pointing(&lesson.row, words.points));
        for (likely, (clause, _)) in likely.iter_mut().zip(&units) {
            *likely = (SHARP * dot(&line, clause)).exp();
        }
        let all: f32 = likely.iter().sum();
        let mut turn = [0.0; DIRECTIONS];
        for (i, (likely, (clause, _))) in likely.iter().zip(&units).enumerate() {
            let wrong = likely / all - if among.start + i == lesson.clause { 1.0 } else { 0.0 };
            if wrong.abs() >= UNLIKELY {
                let wrong = wrong * SHARP / class.len() as f32;
                add(&mut turn, clause, wrong);
                clauses.pull(among.start + i, &line, wrong);
            }
        }
        across(&mut turn, &line, length);
        lesson.row.iter().for_each(|(word, weight)| words.pull(*word, &turn, *weight));
    }
    words.turn(|_, _| ());
    clauses.turn(|i, pull| {
        let (clause, length) = &units[i - among.start];
        across(pull, clause, *length);
    });
}

/// Where a row points, given where its keys point.
pub fn pointing(row: &Row, words: &[Point]) -> Point {
    let mut sum = [0.0; DIRECTIONS];
    row.iter().for_each(|(word, weight)| add(&mut sum, &words[*word], *weight));
    sum
}

/// Makes the length of a point 1.
pub fn unit(point: &mut Point) {
    *point = in_units(point).0;
}

/// A point of length 1, and the length that it had.
fn in_units(point: &Point) -> (Point, f32) {
    let length = dot(point, point).sqrt().max(f32::MIN_POSITIVE);
    let mut unit = [0.0; DIRECTIONS];
    add(&mut unit, point, length.recip());
    (unit, length)
}

/// Leaves of a turn what goes across a point of length 1, which was so long: along it, nothing is turned.
fn across(turn: &mut Point, point: &Point, length: f32) {
    let along = dot(turn, point);
    turn.iter_mut().zip(point).for_each(|(turn, x)| *turn = (*turn - along * x) / length);
}

fn add(sum: &mut Point, point: &Point, weight: f32) {
    sum.iter_mut().zip(point).for_each(|(sum, x)| *sum += weight * x);
}

/// Several sums at a time: a processor adds them up side by side.
fn dot(a: &Point, b: &Point) -> f32 {
    let mut sums = [0.0f32; 16];
    for (a, b) in a.as_chunks::<16>().0.iter().zip(b.as_chunks::<16>().0) {
        for i in 0..16 {
            sums[i] += a[i] * b[i];
        }
    }
    sums.iter().sum()
}

/// Points that are turned: all pulls of a class are added up, and then followed.
struct Turned<'a> {
    points: &'a mut [Point],
    pulls: Vec<Point>,
    pulled: Vec<usize>,
    is_pulled: Vec<bool>,
    /// How much each has been pulled so far.
    so_far: Vec<f32>,
}

impl<'a> Turned<'a> {
    fn new(points: &'a mut [Point]) -> Turned<'a> {
        let count = points.len();
        Turned {
            points,
            pulls: vec![[0.0; DIRECTIONS]; count],
            pulled: Vec::new(),
            is_pulled: vec![false; count],
            so_far: vec![1e-6; count],
        }
    }

    fn pull(&mut self, i: usize, by: &Point, weight: f32) {
        if !std::mem::replace(&mut self.is_pulled[i], true) {
            self.pulled.push(i);
        }
        add(&mut self.pulls[i], by, weight);
    }

    /// Follows all pulls, each as it is mended.
    fn turn(&mut self, mend: impl Fn(usize, &mut Point)) {
        for i in self.pulled.drain(..) {
            self.is_pulled[i] = false;
            let mut pull = std::mem::replace(&mut self.pulls[i], [0.0; DIRECTIONS]);
            mend(i, &mut pull);
            self.so_far[i] += dot(&pull, &pull) / DIRECTIONS as f32;
            add(&mut self.points[i], &pull, -STEP / self.so_far[i].sqrt());
        }
    }
}

/// The same order every time, so that builds are alike.
struct Dice(u64);

impl Dice {
    fn shuffle<T>(&mut self, things: &mut [T]) {
        for last in (1..things.len()).rev() {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            things.swap(last, (self.0 >> 33) as usize % (last + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two clauses of one game that share a word: after the lessons, each line is nearer to its own.
    #[test]
    fn lines_point_to_their_own_clause() {
        let axis = |i: usize| -> Point { std::array::from_fn(|k| if k == i { 1.0 } else { 0.01 * (k % 3) as f32 }) };
        let mut words = vec![axis(0), axis(1), axis(0)];
        let mut clauses = vec![axis(0), axis(0)];
        let lessons = [(0, vec![(0, 0.7), (1, 0.7)]), (1, vec![(0, 0.7), (2, 0.7)])];
        let lessons = lessons.map(|(clause, row)| Lesson { clause, row });
        for _ in 0..20 {
            teach(&lessons, &[2], &mut words, &mut clauses);
        }
        for lesson in &lessons {
            let line = in_units(&pointing(&lesson.row, &words)).0;
            let near = |clause: usize| dot(&line, &in_units(&clauses[clause]).0);
            assert!(near(lesson.clause) > near(1 - lesson.clause));
        }
    }
}
