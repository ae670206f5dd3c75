//! What is said of a clause or of a reading, in the order in which it is read.

use crate::cmd::screen::Ink;
use crate::cmd::show::Officials;
use crate::desk::clause::{Official, name};
use crate::text::node::plain;
use crate::text::{Concept, Id, Kind, Library, Node, Ruling, Shelf, Target};

use super::page::{Page, Pen, Place, joined, link, run};

/// The page of a place. `run` plays the board of a ruling.
pub fn page(library: &Library, officials: &Officials, place: Place, run: &dyn Fn(&Ruling) -> Played) -> Page {
    let mut pen = Pen::new(library, place);
    match place {
        Place::Clause(game, index) => pen.clause(library.shelf(game), index, officials),
        Place::Reading(game, index) => pen.reading(library.shelf(game), index),
        Place::Ruling(game, index) => {
            let ruling = library.shelf(game).ruling(index);
            pen.ruling(library.shelf(game), &ruling, run(&ruling));
        }
        Place::Concept(index) => pen.concept(&library.concept(index)),
    }
    pen.done()
}

/// What came of the board of a ruling, or why it cannot be run.
pub type Played = Result<crate::desk::Page, String>;

impl Pen<'_> {
    fn clause(&mut self, shelf: &Shelf, index: usize, officials: &Officials) {
        let node = shelf.node(index);
        let path: Vec<String> = shelf.path(index).into_iter().map(|i| name(shelf, i)).collect();
        if !path.is_empty() {
            self.line(0, 2, vec![run(Ink::Dim, path.join(" › "))]);
        }
        if let Some(page) = shelf.printed_at(index) {
            self.line(0, 2, vec![run(Ink::Dim, page)]);
        }
        self.blank();
        self.head(shelf, index, &node);
        let official = officials.wording(&node.id).filter(|o| !o.text.is_empty());
        if let Some(official) = &official {
            self.lines(2, vec![run(Ink::Plain, &official.text)]);
        }
        if let Some(text) = &node.text {
            let label = official.is_some().then(|| run(Ink::Dim, "要旨: "));
            let ink = if official.is_some() { Ink::Dim } else { Ink::Plain };
            let runs = label.into_iter().chain(self.text(ink, text)).collect();
            self.lines(2, runs);
        }
        self.children(shelf, index);
        self.notes(&node);
        self.terms(shelf, index);
        self.examples(&node);
        self.readings(shelf, &node);
        self.rulings(shelf, index);
        self.references(shelf, index, &node);
        self.changes(shelf, &node);
        self.neighbours(shelf, index, official.map(|o| o.edition));
    }

    fn head(&mut self, shelf: &Shelf, index: usize, node: &Node) {
        let line = &shelf.lines()[index];
        let printed = match line.printed {
            Some(printed) if line.numbered() => format!("（印刷は{printed}）"),
            Some(printed) => format!("（{printed}）"),
            None => String::new(),
        };
        let title = line.title.map(|t| format!(" {t}")).unwrap_or_default();
        let kind = if node.kind == Kind::Heading { String::new() } else { format!(" 〔{}〕", node.kind.label()) };
        let number = run(Ink::Number, line.clause);
        self.line(0, 2, vec![number, run(Ink::Dim, printed), run(Ink::Bold, title), run(Ink::Dim, kind)]);
    }

    /// One level down. Their own references are a step away; here the Tab key walks from clause to clause.
    fn children(&mut self, shelf: &Shelf, index: usize) {
        let children = shelf.children(index);
        if children.is_empty() {
            return;
        }
        self.blank();
        self.line(0, 0, vec![run(Ink::Label, "下位の条文")]);
        for child in children {
            let node = shelf.node(child);
            let title = node.title.as_deref().map(|t| format!(" {t}")).unwrap_or_default();
            let text = node.text.as_deref().map(plain).unwrap_or_default();
            let text = text.replace('\n', " ");
            let number = link(shelf.lines()[child].clause, Place::Clause(shelf.game, child));
            self.line(2, 2, vec![number, run(Ink::Bold, title), run(Ink::Plain, format!(" {text}"))]);
        }
        self.blank();
    }

    fn notes(&mut self, node: &Node) {
        for (label, note) in [("欠落", &node.lost), ("推測", &node.inferred)] {
            if let Some(note) = note {
                let runs = self.text(Ink::Warn, note);
                self.label(label, runs);
            }
        }
        for misread in &node.misread {
            self.label("誤記", vec![run(Ink::Warn, format!("「{}」は「{}」と読む", misread.printed, misread.read))]);
        }
    }

    fn terms(&mut self, shelf: &Shelf, index: usize) {
        let defined = shelf.defined_at(index);
        let names: Vec<String> = defined.iter().map(|t| format!("{}（{}）", t.term, t.reading)).collect();
        if !names.is_empty() {
            self.label("用語", vec![run(Ink::Plain, names.join("、"))]);
        }
    }

    fn examples(&mut self, node: &Node) {
        for example in &node.examples {
            let id = format!("{}#{} 〔{}〕 ", example.id.clause, example.id.example, example.kind.label());
            let mut runs = vec![run(Ink::Dim, id)];
            runs.extend(example.situation.iter().flat_map(|text| self.text(Ink::Plain, text)));
            if let Some(outcome) = &example.outcome {
                runs.push(run(Ink::Plain, "\n→ "));
                runs.extend(self.text(Ink::Plain, outcome));
            }
            self.label("用例", runs);
        }
    }

    fn readings(&mut self, shelf: &Shelf, node: &Node) {
        for (i, reading) in shelf.readings().iter().enumerate().filter(|(_, r)| r.clauses.contains(&node.id)) {
            let mut runs = vec![link(reading.id.to_string(), Place::Reading(shelf.game, i)), run(Ink::Warn, " ")];
            runs.extend(self.text(Ink::Warn, &reading.question));
            self.label("読み方", runs);
        }
    }

    /// The rulings that the clause decides.
    fn rulings(&mut self, shelf: &Shelf, index: usize) {
        for (at, ruling) in shelf.rulings_of(index).iter().enumerate() {
            let place = shelf.rulings().iter().position(|r| r.path == ruling.path);
            let name = crate::desk::rulings::name(ruling);
            let id = match place {
                Some(i) => link(name, Place::Ruling(shelf.game, i)),
                None => run(Ink::Number, name),
            };
            self.label(if at == 0 { "裁定" } else { "" }, vec![id, run(Ink::Plain, format!(" {}", ruling.title))]);
        }
    }

    fn references(&mut self, shelf: &Shelf, index: usize, node: &Node) {
        let mut runs = Vec::new();
        for reference in node.links() {
            if !runs.is_empty() {
                runs.push(run(Ink::Plain, "、"));
            }
            match &reference.target {
                Target::Clause(id) => runs.push(self.named(id)),
                Target::Range(a, b) => runs.extend([self.numbered(a), run(Ink::Plain, "〜"), self.numbered(b)]),
                Target::Document(name) => runs.push(run(Ink::Plain, name)),
            }
            let printed = reference.printed.as_ref().map(|p| format!("印刷は{p}"));
            let notes: Vec<String> = printed.into_iter().chain(reference.note).collect();
            if !notes.is_empty() {
                runs.push(run(Ink::Dim, format!("（{}）", notes.join("。"))));
            }
        }
        if !runs.is_empty() {
            self.label("参照", runs);
        }
        let citing = shelf.cited_by(index).into_iter().map(|i| link(name(shelf, i), Place::Clause(shelf.game, i)));
        let runs = joined(citing);
        if !runs.is_empty() {
            self.label("参照元", runs);
        }
    }

    fn changes(&mut self, shelf: &Shelf, node: &Node) {
        for entry in shelf.history() {
            for change in entry.changes.iter().filter(|c| c.touches.contains(&node.id)) {
                let mut runs = vec![run(Ink::Dim, format!("{} {} ", entry.date, entry.version))];
                runs.extend(self.text(Ink::Dim, &change.text));
                self.label("変更", runs);
            }
        }
    }

    fn neighbours(&mut self, shelf: &Shelf, index: usize, official: Option<String>) {
        let parent = shelf.lines()[index].parent.map(usize::from);
        let after = Some(index + 1).filter(|i| *i < shelf.lines().len());
        let mut runs = Vec::new();
        for (label, place) in [("前 ", index.checked_sub(1)), ("次 ", after), ("上 ", parent)] {
            if let Some(i) = place {
                runs.push(run(Ink::Dim, label));
                runs.push(link(shelf.lines()[i].clause, Place::Clause(shelf.game, i)));
                runs.push(run(Ink::Dim, "  "));
            }
        }
        self.blank();
        self.line(0, 0, runs);
        let source = match official {
            Some(edition) => format!("公式文: {edition}"),
            None => "saiteiによる要旨（公式文は saitei import で取り込めます）".to_string(),
        };
        self.line(0, 0, vec![run(Ink::Dim, source)]);
    }

    /// A ruling: what was asked, what comes of its board, and what decides.
    fn ruling(&mut self, shelf: &Shelf, ruling: &Ruling, played: Played) {
        self.line(0, 2, vec![run(Ink::Bold, &ruling.title)]);
        self.blank();
        if let Some(question) = &ruling.question {
            self.label("質問", vec![run(Ink::Plain, question)]);
        }
        match played {
            Ok(page) => self.played(shelf, &page),
            Err(why) => self.label("結論", vec![run(Ink::Warn, why)]),
        }
        self.label("裁定", vec![run(Ink::Plain, ruling.verdict_words())]);
        self.blank();
        self.line(0, 2, vec![run(Ink::Dim, format!("saitei run {}", crate::desk::rulings::name(ruling)))]);
    }

    fn played(&mut self, shelf: &Shelf, page: &crate::desk::Page) {
        self.label("結論", vec![run(Ink::Bold, page.conclusion.concat())]);
        for (at, d) in page.deciding.iter().enumerate() {
            let number = match d.clause.parse::<Id>() {
                Ok(id) => self.numbered(&id),
                Err(_) => run(Ink::Number, &d.clause),
            };
            let mut runs = vec![number, run(Ink::Plain, format!(" {}", d.text))];
            if !d.without.is_empty() {
                runs.push(run(Ink::Dim, format!("\nなければ、{}", d.without.join("、"))));
            }
            self.label(if at == 0 { "決め手" } else { "" }, runs);
        }
        for by in &page.readings {
            let place = shelf.readings().iter().position(|r| r.id.to_string() == by.reading);
            let name = match place {
                Some(i) => link(&by.reading, Place::Reading(shelf.game, i)),
                None => run(Ink::Warn, &by.reading),
            };
            self.label("読みによる", vec![name, run(Ink::Warn, format!("（{} と読んだ） {}", by.taken, by.question))]);
        }
        if let Some(reason) = &page.reason {
            self.label("理由", vec![run(Ink::Plain, reason)]);
        }
        for (at, told) in page.story.iter().enumerate() {
            let mark = if told.decides { "◆" } else { "・" };
            let ink = if told.decides { Ink::Bold } else { Ink::Plain };
            let clause = told.clause.as_deref().and_then(|c| c.parse::<Id>().ok());
            let mut runs = vec![run(ink, format!("{mark}{}", told.text))];
            if let Some(id) = clause {
                runs.extend([run(Ink::Dim, " 〔"), self.numbered(&id), run(Ink::Dim, "〕")]);
            }
            self.label(if at == 0 { "いきさつ" } else { "" }, runs);
        }
        for (at, change) in page.changes.iter().enumerate() {
            self.label(if at == 0 { "変化" } else { "" }, vec![run(Ink::Plain, change)]);
        }
        for (at, twin) in page.others.iter().enumerate() {
            self.label(if at == 0 { "別の場合" } else { "" }, vec![run(Ink::Plain, &twin.title)]);
        }
        if !page.omitted.is_empty() {
            self.label("省略", vec![run(Ink::Dim, page.omitted.join("、"))]);
        }
    }

    /// A concept in all games that speak of it.
    fn concept(&mut self, concept: &Concept) {
        self.line(0, 2, vec![run(Ink::Bold, format!("{}（{}）", concept.concept, concept.reading))]);
        for treatment in &concept.games {
            let Some(game) = treatment.clauses.first().map(|id| id.game) else { continue };
            self.blank();
            let mut runs = vec![run(Ink::Label, format!("{} ", game.name()))];
            runs.extend(joined(treatment.clauses.iter().map(|id| self.numbered(id))));
            self.line(0, 2, runs);
            let text = self.text(Ink::Plain, &treatment.text);
            self.lines(2, text);
        }
        self.blank();
        self.label("違い", vec![run(Ink::Plain, &concept.differs)]);
    }

    fn reading(&mut self, shelf: &Shelf, index: usize) {
        let reading = &shelf.readings()[index];
        let mut runs = vec![run(Ink::Number, reading.id.clause.as_str()), run(Ink::Dim, " 〔読み方〕 ")];
        runs.extend(self.text(Ink::Plain, &reading.question));
        self.line(0, 2, runs);
        for option in &reading.options {
            let mark = if option.key == reading.default { "既定" } else { "別の読み" };
            let mut runs = vec![run(Ink::Bold, format!("{mark} {} ", option.key))];
            runs.extend(self.text(Ink::Plain, &option.text));
            self.line(2, 4, runs);
        }
        let why = self.text(Ink::Plain, &reading.why);
        self.label("理由", why);
        let clauses = joined(reading.clauses.iter().map(|id| self.named(id)));
        self.label("条文", clauses);
    }
}
