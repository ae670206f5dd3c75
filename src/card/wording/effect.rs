//! What an effect does, step by step.

use super::event::is_moment;
use super::verb::{bring, condition, stem, te, verb};
use super::voice::Voice;
use crate::card::{Change, Cond, Filter, IT, Pattern, Step, Target, Value, Word};

/// One thing done: 「自分は」「カードを1枚引く」.
pub struct Sentence {
    who: Option<String>,
    text: String,
    /// Has commas and conditions of its own, so that nothing may be joined to it.
    closed: bool,
    /// A choice, which flows into what is done with it.
    glue: bool,
}

impl Sentence {
    fn plain(text: String) -> Sentence {
        Sentence { who: None, text, closed: false, glue: false }
    }
    fn by(who: String, text: String) -> Sentence {
        Sentence { who: Some(who), ..Sentence::plain(text) }
    }
    fn closed(text: String) -> Sentence {
        Sentence { closed: true, ..Sentence::plain(text) }
    }
    /// A choice before what is done with it.
    pub fn leading(&self) -> String {
        if self.glue { stem(&self.said()) } else { self.said() }
    }
    pub fn said(&self) -> String {
        match &self.who {
            Some(who) => format!("{who}は{}", self.text),
            None => self.text.clone(),
        }
    }
}

/// Sentences one after another, each with its full stop.
pub fn text(sentences: Vec<Sentence>) -> String {
    let mut out = String::new();
    let mut sentences = sentences.into_iter().peekable();
    while let Some(sentence) = sentences.next() {
        match sentences.peek_mut() {
            Some(next) if sentence.glue && !next.closed => {
                out += &format!("{}、", stem(&sentence.said()));
                next.who = next.who.take().filter(|who| Some(who) != sentence.who.as_ref());
            }
            Some(_) | None => out += &format!("{}。", sentence.said()),
        }
    }
    out
}

/// Several things as one sentence; quoted where they have sentences of their own.
fn join(sentences: Vec<Sentence>) -> Sentence {
    if sentences.len() > 1 && sentences.iter().any(|sentence| sentence.closed) {
        return Sentence::closed(format!("「{}」を行う", text(sentences)));
    }
    let last = sentences.len().saturating_sub(1);
    let mut whole = Sentence::plain(String::new());
    let mut speaking: Option<String> = None;
    for (i, sentence) in sentences.into_iter().enumerate() {
        whole.closed |= sentence.closed;
        if i == 0 {
            whole.who = sentence.who.clone();
        } else if let Some(who) = sentence.who.as_ref().filter(|who| speaking.as_ref() != Some(who)) {
            whole.text += &format!("{who}は");
        }
        speaking = sentence.who.or(speaking);
        whole.text += &if i < last { format!("{}、", stem(&sentence.text)) } else { sentence.text };
    }
    whole
}

/// 「ターン終了時まで、」「このカードが戦場にあるかぎり、」
fn until_then(until: Option<Word>, otherwise: &str) -> String {
    let to = |until: Word| if until.ends_with("かぎり") { "" } else { "まで" };
    until.map_or(otherwise.to_string(), |until| format!("{until}{}、", to(until)))
}

/// Before an event that counts once. The end of what is going on is that of this one: 「次のターン終了時」 would be taken
/// for the end of the turn after it.
fn next(when: &Pattern) -> &'static str {
    match when.event.as_str() {
        end if end.ends_with("終了時") && when.who.is_none() && when.card.is_none() => "",
        moment if is_moment(moment) => "次の",
        _ => "次に",
    }
}

impl Voice {
    pub fn steps(&self, steps: &[Step]) -> Vec<Sentence> {
        steps.iter().flat_map(|step| self.step(step)).collect()
    }

    pub fn block(&self, steps: &[Step]) -> Sentence {
        join(self.steps(steps))
    }

    /// The cards that a step is about.
    fn objects(&self, what: &Option<Word>, all: &Option<Filter>) -> String {
        let what = what.map(|word| self.name(word));
        let all = all.as_ref().map(|filter| self.all(filter));
        what.into_iter().chain(all).collect::<Vec<_>>().join("と")
    }

    pub fn step(&self, step: &Step) -> Vec<Sentence> {
        let plain = |text: String| vec![Sentence::plain(text)];
        let by =
            |who: &Option<Word>, text: String| vec![Sentence::by(who.map_or("自分".into(), |who| self.who(who)), text)];
        match step {
            Step::Move { .. } => vec![self.moved(step)],
            Step::Draw { count, who, up_to } => {
                by(who, format!("カードを{}{}引く", self.counted(count, "枚"), if *up_to { "まで" } else { "" }))
            }
            Step::Damage { slot, .. } => plain(self.marked(*slot, self.damage(step))),
            Step::Turn { what, all, state, slot } => {
                plain(self.marked(*slot, format!("{}を{}", self.objects(what, all), bring(state))))
            }
            Step::Choose(target) => vec![self.choice(target)],
            Step::Grant { what, all, changes, until } => {
                let subject = (what.is_some() || all.is_some()).then(|| self.objects(what, all));
                plain(until_then(*until, "") + &self.changes(subject, changes))
            }
            Step::Later { when, steps, until, about } => vec![self.later(when, steps, *until, *about)],
            Step::Replace { instead, until } => {
                vec![Sentence::closed(until_then(*until, next(&instead.when)) + &self.replace(instead))]
            }
            Step::May { steps, by, then, otherwise, name } => {
                let mut out = vec![self.may(steps, *by, *name)];
                self.branch("そうしたならば", then, &mut out);
                self.branch("そうしなければ", otherwise, &mut out);
                out
            }
            Step::If { cond, then, otherwise } => self.if_then(cond, then, otherwise),
            Step::EachPlayer { choose, steps, together } => self.each_player(choose, steps, *together),
            Step::ForEach { what, slot, steps } => {
                let each = format!("{}1枚ずつ{}について順に、", self.name(*what), self.mark(*slot));
                vec![Sentence::closed(each + &self.block(steps).said())]
            }
            Step::Repeat { count, until, steps } => {
                let times = count.as_ref().map(|n| self.counted(n, "回")).unwrap_or_default();
                let over = until.as_ref().map(|cond| format!("{}まで繰り返し", self.cond(cond))).unwrap_or_default();
                vec![Sentence::closed(format!("「{}。」を{over}{times}行う", self.block(steps).said()))]
            }
            Step::Counter { what } => plain(format!("{}を無効にする", self.name(*what))),
            Step::Reveal { what, all, to, slot } => {
                vec![self.reveal(self.marked(*slot, self.objects(what, all)), *to)]
            }
            Step::Shuffle { who } => by(who, "山札を切り直す".into()),
            Step::Swap { a, b } if a == b => plain(format!("{}の場所を入れ替える", self.name(*a))),
            Step::Swap { a, b } => plain(format!("{}と{}の場所を入れ替える", self.name(*a), self.name(*b))),
            Step::Retarget { what, to } => plain(format!("{}の対象を{}に変える", self.name(*what), self.name(*to))),
            Step::Mark { what, name, count, to: Some(to), each: _ } => vec![Sentence::plain(format!(
                "{}の「{name}」を{}{}に移動する",
                self.name(*what),
                self.counted(count, "個"),
                self.name(*to)
            ))],
            Step::Mark { what, name, count, to: None, each } => vec![self.marker(*what, *name, count, each)],
            Step::Create { card, count, to, state, who } => {
                let n = count.as_ref().map_or("1枚".to_string(), |v| self.counted(v, "枚"));
                let state = state.map(|s| format!("{s}で")).unwrap_or_default();
                by(who, format!("「{card}」を{n}作り、{}に{state}置く", self.name(*to)))
            }
            Step::Let { slot, value } => plain(format!("{slot}を{}とする", self.number(value))),
            Step::Act { name, who, what, count, .. } => vec![self.act(*name, *who, *what, count.as_ref())],
            Step::End { who, result } => by(&Some(*who), verb(result)),
        }
    }

    fn later(&self, when: &Pattern, steps: &[Step], until: Option<Word>, about: Option<Word>) -> Sentence {
        let about = about.map(|card| format!("{}について、", self.name(card))).unwrap_or_default();
        let when = until_then(until, next(when)) + &self.when(when, "時");
        Sentence::closed(format!("{about}{when}、{}", self.block(steps).said()))
    }

    fn each_player(&self, choose: &[Target], steps: &[Step], together: bool) -> Vec<Sentence> {
        if !together {
            let chosen = choose.iter().map(|target| self.choice(target));
            let all = join(chosen.chain(self.steps(steps)).collect()).said();
            return vec![Sentence::closed(format!("各プレイヤーは順に、自分について次を行う: {all}"))];
        }
        let chosen = join(choose.iter().map(|target| self.choice(target)).collect());
        let then = self.block(steps).said();
        let chooser = chosen.who.map(|who| format!("{who}が")).unwrap_or_default();
        vec![
            Sentence::closed(format!("各プレイヤーは{chooser}{}", chosen.text)),
            Sentence::closed(format!("全員が選んだ後、同時に{then}")),
        ]
    }

    fn reveal(&self, what: String, to: Option<Word>) -> Sentence {
        match to {
            Some(who) if who == "自分" => Sentence::by("自分".into(), format!("{what}を見る")),
            Some(who) => Sentence::plain(format!("{what}を{}だけに見せる", self.who(who))),
            None => Sentence::plain(format!("{what}を見せる")),
        }
    }

    /// LPを500払う, 500回復する, そのモンスターを特殊召喚する, 相手に1000の効果ダメージを与える.
    fn act(&self, name: Word, who: Option<Word>, what: Option<Word>, count: Option<&Value>) -> Sentence {
        let done = verb(&name);
        let who = who.map(|who| self.who(who));
        let number = count.map(|count| self.counted(count, ""));
        if let Some(kind) = name.strip_suffix("ダメージ") {
            let (to, kind) = match kind.strip_prefix("お互いに") {
                Some(kind) => ("お互い".to_string(), kind),
                None => (who.unwrap_or("自分".into()), kind),
            };
            let number = number.map(|number| format!("{number}の")).unwrap_or_default();
            return Sentence::plain(format!("{to}に{number}{kind}ダメージを与える"));
        }
        let text = match (what.map(|what| self.name(what)), number, name.rsplit_once('を')) {
            (None, Some(number), Some((object, verb))) => format!("{object}を{number}{verb}"),
            (None, Some(number), None) if done.ends_with("する") => format!("{number}{done}"),
            (Some(what), None, None) => format!("{what}を{done}"),
            (what, number, _) => {
                let about = what.map(|what| format!("{what}について、")).unwrap_or_default();
                let number = number.map(|number| format!("数を{number}として、")).unwrap_or_default();
                about + &number + &done
            }
        };
        Sentence { who, ..Sentence::plain(text) }
    }

    fn branch(&self, head: &str, steps: &[Step], out: &mut Vec<Sentence>) {
        if !steps.is_empty() {
            out.push(Sentence::closed(format!("{head}、{}", self.block(steps).said())));
            out.iter_mut().for_each(|sentence| sentence.closed = true);
        }
    }

    fn if_then(&self, cond: &Cond, then: &[Step], otherwise: &[Step]) -> Vec<Sentence> {
        let mut out = Vec::new();
        let cond = self.cond(cond);
        self.branch(&format!("{cond}ならば"), then, &mut out);
        let head =
            if then.is_empty() { format!("「{cond}」でなければ") } else { "そうでなければ".into() };
        self.branch(&head, otherwise, &mut out);
        out
    }

    /// 「…してよい」. Who decides is said only where it is not plain from who does it.
    fn may(&self, steps: &[Step], by: Option<Word>, name: Option<Word>) -> Sentence {
        let decider = by.map_or("自分".to_string(), |by| self.who(by));
        let done = self.block(steps);
        let name = name.map(|name| format!("（{name}）")).unwrap_or_default();
        let own = done.who.as_ref().is_none_or(|who| *who == decider);
        let text = if own {
            format!("{}よい{name}", te(&done.text))
        } else {
            format!("「{}」ことを選んでよい{name}", done.said())
        };
        let who = if by.is_some() || !own { Some(decider) } else { done.who };
        Sentence { who, closed: true, ..Sentence::plain(text) }
    }

    fn choice(&self, target: &Target) -> Sentence {
        self.say(target.slot);
        let random = if target.random { "無作為に" } else { "" };
        let what = self.pool(target);
        let mark = self.mark(target.slot);
        let mut text = format!("{what}{mark}を{random}選ぶ");
        if let Some(value) = &target.divide {
            text = format!("{}、それらに{}を1以上ずつ割り振る", stem(&text), self.number(value));
        }
        Sentence { who: target.by.map(|who| self.who(who)), glue: true, ..Sentence::plain(text) }
    }

    /// 「…を墓地に置く」; the manner is the verb where it says the place as well.
    fn moved(&self, step: &Step) -> Sentence {
        let Step::Move { what, all, to, near, at, state, control, how, attach, slot } = step else {
            return Sentence::plain(String::new());
        };
        let cards = self.objects(what, all);
        let under = control.map(|who| format!("{}の支配下で", self.who(who))).unwrap_or_default();
        let state = state.map(|state| format!("{}で", condition(&state))).unwrap_or_default();
        let manner = how.map(|how| verb(&how));
        // The place is said by the manner, or is itself what is done.
        let own = match (to.as_str(), how.as_ref().map(|how| how.as_str())) {
            ("墓地" | "トラッシュ", Some(_)) | ("リムーブゾーン", Some("除外")) | ("チャージ", Some("破壊")) => {
                manner.clone()
            }
            ("除外", None | Some("除外")) => Some(verb("除外")),
            _ => None,
        };
        if let (Some(own), None, None) = (own, at, attach)
            && under.is_empty()
            && state.is_empty()
            && near.is_empty()
        {
            return Sentence::plain(self.marked(*slot, format!("{cards}を{own}")));
        }
        let manner = manner.map(|manner| te(&manner)).unwrap_or_default();
        let place = match (attach, at, to.as_str()) {
            (Some(_), _, _) => self.name(*to),
            (None, Some(at), _) if *at == "シャッフル" => self.place(*to),
            (None, Some(at), _) if at.parse::<u16>().is_ok() => format!("{}の上から{at}番目", self.place(*to)),
            (None, Some(at), _) => format!("{}の{at}", self.place(*to)),
            (None, None, "山札") => "山札の上".into(),
            (None, None, _) => self.place(*to),
        };
        let put = match (attach, at, to.as_str()) {
            (Some(attach), Some(at), _) => format!("{at}に{attach}として付ける"),
            (Some(attach), None, _) => format!("{attach}として付ける"),
            (None, Some(at), _) if *at == "シャッフル" => "加えてシャッフルする".into(),
            (None, None, "手札") if state.is_empty() => "加える".into(),
            (None, _, _) => "置く".into(),
        };
        let by = |(relation, to): (&Word, &Word)| match *to == IT {
            true => format!("それぞれ{relation}の"),
            false => format!("{}の", self.near(*relation, *to)),
        };
        let near: String = near.iter().map(by).collect();
        Sentence::plain(self.marked(*slot, format!("{cards}を{manner}{near}{place}に{under}{state}{put}")))
    }

    /// The name of what was done, where another thing done could be meant.
    fn marked(&self, slot: Option<Word>, text: String) -> String {
        match slot.map(|slot| self.mark(slot)) {
            Some(mark) => mark + &text,
            None => text,
        }
    }

    fn damage(&self, step: &Step) -> String {
        let Step::Damage { what, all, who, amount, slot: _ } = step else { return String::new() };
        let mut to = vec![self.objects(what, all)];
        to.extend(who.map(|who| self.who(who)));
        to.retain(|part| !part.is_empty());
        let amount = amount.as_ref().map_or("割り振った数".to_string(), |value| self.number(value));
        format!("{}に{amount}のダメージを与える", to.join("と"))
    }

    fn marker(&self, what: Word, name: Word, count: &Value, each: &[Change]) -> Sentence {
        let what = self.name(what);
        let gives = || self.changes(Some("置かれたカード".into()), each);
        let gives = if each.is_empty() { String::new() } else { format!("（1個につき{}）", gives()) };
        Sentence::plain(match count {
            Value::Number(n) if *n < 0 => format!("{what}から「{name}」を{}個取り除く", n.unsigned_abs()),
            Value::Number(_) | Value::Named(_) | Value::Made(_) => {
                format!("{what}に「{name}」{gives}を{}置く", self.counted(count, "個"))
            }
        })
    }
}
