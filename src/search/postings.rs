//! How well every document fits the terms of a question: one BM25 sum each, over all fields.
//!
//! A question has hundreds of terms in a dozen fields, and the rules are a few thousand documents. Adding everything up
//! in one array, term by term, costs a fraction of what it takes to join as many scorers.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use tantivy::fieldnorm::FieldNormReader;
use tantivy::schema::IndexRecordOption;
use tantivy::{Index, InvertedIndexReader, SegmentReader};

use crate::text::Library;

use super::analysis::Analysis;
use super::bundle::Bundle;
use super::index::{Fields, Part};

/// The usual constants of BM25: how soon a repeated term counts no more, and how much a long text is held back.
const K1: f32 = 1.2;
const B: f32 = 0.75;

/// The fields of an index that weigh anything.
pub struct Postings {
    documents: u32,
    columns: Vec<Column>,
}

/// One field.
struct Column {
    part: Part,
    analysis: Analysis,
    weight: f32,
    terms: Arc<InvertedIndexReader>,
    lengths: FieldNormReader,
}

impl Postings {
    /// Fails if the bundle is no index of ours.
    pub fn open(bundle: &Bundle, library: &Library) -> tantivy::Result<Postings> {
        let index = Index::open(bundle.clone())?;
        // The index is written in one go: there is one segment, or none if there was nothing to write.
        let Some(segment) = index.searchable_segments()?.pop() else {
            return Ok(Postings { documents: 0, columns: Vec::new() });
        };
        let segment = SegmentReader::open(&segment)?;
        let mut columns = Vec::new();
        for (part, analysis, field, weight) in Fields::of(library).weighted {
            let (terms, lengths) = (segment.inverted_index(field)?, segment.get_fieldnorms_reader(field)?);
            columns.push(Column { part, analysis, weight, terms, lengths });
        }
        Ok(Postings { documents: segment.max_doc(), columns })
    }

    /// In how many documents' texts a term is.
    pub fn frequency(&self, analysis: Analysis, term: &str) -> u32 {
        let text = self.columns.iter().find(|c| c.part == Part::Text && c.analysis == analysis);
        text.and_then(|c| c.terms.terms().get(term).ok()?).map_or(0, |found| found.doc_freq)
    }

    /// How much it says that a text has a term.
    pub fn rarity(&self, analysis: Analysis, term: &str) -> f32 {
        rarity(self.frequency(analysis, term), self.documents)
    }

    /// The sum of every document, by its number, for terms with their weights.
    ///
    /// Only the documents of a range are looked at, and it is among them that a term is rare or not: in the game of
    /// monsters, 「モンスター」 says little.
    pub fn sums(&self, terms: &[(Analysis, BTreeMap<String, f32>)], among: Range<u32>) -> tantivy::Result<Vec<f32>> {
        let mut sums = vec![0.0; self.documents as usize];
        for (analysis, terms) in terms {
            for column in self.columns.iter().filter(|c| c.analysis == *analysis) {
                column.add(terms, self.documents, &among, &mut sums)?;
            }
        }
        Ok(sums)
    }

    /// In how many documents of each range a term is, in texts and questions.
    pub fn spread(&self, analysis: Analysis, term: &str, ranges: &[Range<u32>]) -> tantivy::Result<Vec<u32>> {
        let mut counts = vec![0; ranges.len()];
        let parts = [Part::Text, Part::Asks, Part::Head];
        for column in self.columns.iter().filter(|c| parts.contains(&c.part) && c.analysis == analysis) {
            let Some(found) = column.terms.terms().get(term)? else { continue };
            let mut block = column.terms.read_block_postings_from_terminfo(&found, IndexRecordOption::Basic)?;
            while block.block_len() > 0 {
                for document in block.docs() {
                    if let Some(range) = ranges.iter().position(|r| r.contains(document)) {
                        counts[range] += 1;
                    }
                }
                block.advance();
            }
        }
        Ok(counts)
    }
}

impl Column {
    fn add(
        &self,
        terms: &BTreeMap<String, f32>,
        documents: u32,
        among: &Range<u32>,
        sums: &mut [f32],
    ) -> tantivy::Result<()> {
        let average = self.terms.total_num_tokens() as f32 / documents as f32;
        // How much the length of a text holds it back, by the code that its length is kept as.
        let held_back: [f32; 256] = std::array::from_fn(|code| {
            K1 * (1.0 - B + B * FieldNormReader::id_to_fieldnorm(code as u8) as f32 / average)
        });
        let mut block = None;
        let mut found_in: Vec<(u32, u32)> = Vec::new();
        for (term, weight) in terms {
            let Some(found) = self.terms.terms().get(term)? else { continue };
            // One block of memory serves all terms.
            let block = match &mut block {
                Some(block) => {
                    self.terms.reset_block_postings_from_terminfo(&found, block)?;
                    block
                }
                none => {
                    none.insert(self.terms.read_block_postings_from_terminfo(&found, IndexRecordOption::WithFreqs)?)
                }
            };
            found_in.clear();
            while block.block_len() > 0 {
                let both = block.docs().iter().copied().zip(block.freqs().iter().copied());
                found_in.extend(both.filter(|(document, _)| among.contains(document)));
                block.advance();
            }
            let rare = rarity(found_in.len() as u32, among.len() as u32);
            let most = self.weight * weight * rare * (1.0 + K1);
            for &(document, count) in &found_in {
                let held_back = held_back[usize::from(self.lengths.fieldnorm_id(document))];
                let count = count as f32;
                sums[document as usize] += most * count / (count + held_back);
            }
        }
        Ok(())
    }
}

/// The inverse document frequency of BM25.
fn rarity(frequency: u32, documents: u32) -> f32 {
    let (frequency, documents) = (frequency as f32, documents as f32);
    (1.0 + (documents - frequency + 0.5) / (frequency + 0.5)).ln()
}
