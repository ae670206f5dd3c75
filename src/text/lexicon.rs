//! Every word that leads to a term of a game, folded and sorted, so that a word is found without unpacking the others.

use super::packed::{Packed, pack};

/// A word that leads to a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Form<'a> {
    /// Folded, without blanks.
    pub form: &'a str,
    pub via: Via,
    /// The place of the term in the glossary.
    pub term: u16,
}

/// How a word leads to a term; the nearer, the earlier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Via {
    Term,
    Synonym,
    Reading,
    Slang,
}

impl Via {
    const ALL: [Via; 4] = [Via::Term, Via::Synonym, Via::Reading, Via::Slang];
}

/// The words of one game.
#[derive(Clone, Copy, Debug)]
pub struct Lexicon(Packed);

/// What stands before the word of a packed form: how it leads to the term, and to which.
const HEAD: usize = 3;

impl Lexicon {
    pub fn new(bytes: &'static [u8]) -> Lexicon {
        Lexicon(Packed::new(bytes))
    }

    pub fn pack(mut forms: Vec<Form>) -> Vec<u8> {
        forms.sort();
        forms.dedup();
        let item = |form: Form| {
            let [low, high] = form.term.to_le_bytes();
            [&[form.via as u8, low, high], form.form.as_bytes()].concat()
        };
        pack(forms.into_iter().map(item))
    }

    pub fn forms(self) -> impl Iterator<Item = Form<'static>> {
        (0..self.0.len()).map(move |place| self.form(place))
    }

    /// All entries of a form.
    pub fn lookup(self, form: &str) -> Vec<Form<'static>> {
        let start = self.first(|word| word >= form.as_bytes());
        let same = (start..self.0.len()).take_while(|&place| self.word(place) == form.as_bytes());
        same.map(|place| self.form(place)).collect()
    }

    /// The longest form that a text begins with and that is meant, with all its entries.
    pub fn longest(self, text: &str, meant: impl Fn(&[Form]) -> bool) -> Option<Vec<Form<'static>>> {
        let mut rest = text;
        while !rest.is_empty() {
            // Whatever `rest` begins with, the last form before it begins with too.
            let last = self.word(self.first(|word| word > rest.as_bytes()).checked_sub(1)?);
            let common = last.iter().zip(rest.as_bytes()).take_while(|(a, b)| a == b).count();
            rest = before(rest, common);
            if common == last.len() {
                let found = self.lookup(rest);
                if meant(&found) {
                    return Some(found);
                }
                rest = before(rest, common.saturating_sub(1));
            }
        }
        None
    }

    /// The place of the first word for which this holds; for all after it, it does too.
    fn first(self, holds: impl Fn(&[u8]) -> bool) -> usize {
        let (mut low, mut high) = (0, self.0.len());
        while low < high {
            let middle = (low + high) / 2;
            if holds(self.word(middle)) { high = middle } else { low = middle + 1 }
        }
        low
    }

    fn word(self, place: usize) -> &'static [u8] {
        &self.0.get(place).expect("a packed lexicon")[HEAD..]
    }

    fn form(self, place: usize) -> Form<'static> {
        let item = self.0.get(place).expect("a packed lexicon");
        Form {
            form: std::str::from_utf8(&item[HEAD..]).expect("a packed lexicon"),
            via: Via::ALL[usize::from(item[0])],
            term: u16::from_le_bytes([item[1], item[2]]),
        }
    }
}

/// The whole characters in the first bytes of a text.
fn before(text: &str, end: usize) -> &str {
    let end = (0..=end).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
    &text[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_form_that_is_meant() {
        let words = ["山札", "山", "山札の上", "手札", "山札", "やま"];
        let forms = words.iter().enumerate().map(|(i, form)| Form { form, via: Via::Term, term: i as u16 });
        let lexicon = Lexicon::new(Lexicon::pack(forms.collect()).leak());
        let longest = |text, most: usize| {
            let found = lexicon.longest(text, |forms| forms[0].form.chars().count() <= most);
            found.map(|forms| forms.iter().map(|f| f.term).collect::<Vec<_>>())
        };
        assert_eq!(longest("山札の上から", 9), Some(vec![2]));
        assert_eq!(longest("山札の上から", 3), Some(vec![0, 4]));
        assert_eq!(longest("山札の下", 9), Some(vec![0, 4]));
        assert_eq!(longest("山札の上", 1), Some(vec![1]));
        assert_eq!(longest("山頂", 9), Some(vec![1]));
        assert_eq!(longest("海", 9), None);
        assert_eq!(longest("あ", 9), None);
        assert_eq!(lexicon.lookup("山").len(), 1);
        assert!(lexicon.lookup("札").is_empty());
    }
}
