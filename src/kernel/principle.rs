//! Questions that documents answer differently. Every game answers every one of them: with its clause, with a reading,
//! or with silence, and asking what is silent halts the duel as undecided. There is no default: no game follows another.

use super::cite::Cite;

/// The clauses that answer, at most four.
pub type Cites = [Option<&'static Cite>; 4];

/// What a document says to a question.
#[derive(Clone, Copy, Debug)]
pub enum Says {
    /// It is so, by these clauses; without one of them it is not.
    So(Cites),
    /// It is so by these clauses, unless the reading's last option is taken. The option taken unless told comes first.
    Unless(Cites, &'static Cite, [&'static str; 2]),
    /// It is not so, by these clauses; without one of them it is.
    Not(Cites),
    /// The document is open: the reading decides. The option taken unless told, and the option under which it is so.
    Open(&'static Cite, &'static str, &'static str),
    /// The document says nothing, and no reading was written: whoever asks has no answer.
    Silent,
}

impl Says {
    pub fn cites(&self) -> Cites {
        match self {
            Says::So(cites) | Says::Not(cites) | Says::Unless(cites, ..) => *cites,
            Says::Open(reading, ..) => [Some(reading), None, None, None],
            Says::Silent => [None; 4],
        }
    }
}

/// `so!(a, b)`: it is so by these clauses. `so!()`: it is so by the meaning of the words alone.
#[macro_export]
macro_rules! so {
    () => {
        $crate::kernel::Says::So([None; 4])
    };
    ($a:expr) => {
        $crate::kernel::Says::So([Some($a), None, None, None])
    };
    ($a:expr, $b:expr) => {
        $crate::kernel::Says::So([Some($a), Some($b), None, None])
    };
    ($a:expr, $b:expr, $c:expr) => {
        $crate::kernel::Says::So([Some($a), Some($b), Some($c), None])
    };
    ($a:expr, $b:expr, $c:expr, $d:expr) => {
        $crate::kernel::Says::So([Some($a), Some($b), Some($c), Some($d)])
    };
}

macro_rules! listed {
    ($(#[$doc:meta])* $name:ident { $($(#[$about:meta])* $item:ident = $words:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub enum $name {
            $($(#[$about])* $item,)*
        }

        impl $name {
            /// All of them, each at its own place.
            pub const ALL: &'static [$name] = &[$($name::$item),*];

            /// The question, for users.
            pub fn words(self) -> &'static str {
                match self {
                    $($name::$item => $words,)*
                }
            }
        }
    };
}

listed! {
    /// A question that the kernel asks of a game.
    Principle {
        /// When both choose at once, the active player chooses first.
        ActiveFirst = "同時に選ぶとき、ターンのプレイヤーが先に選ぶか",
        /// A number below zero counts as zero, but is counted on from where it is.
        BelowZero = "0より小さい数を0とみなすか",
        /// What is possible in part is done in part.
        InPart = "一部しかできないとき、できる分だけ行うか",
        /// An ability triggers once for each event.
        EachEvent = "同時に起きた出来事の数だけ誘発するか",
        /// An event that was replaced did not happen.
        DidNotHappen = "置き換えられた出来事は起こらなかったことになるか",
        /// A card sees its own arrival.
        SeesArrival = "カードの能力がそのカード自身の登場を見るか",
        /// A card that leaves sees those who leave with it, and itself.
        SeesLeaving = "離れるカードの能力が同時に離れるものを見るか",
        /// A card that has gone is read as it last was.
        LastKnown = "移動したカードの移動する前の情報を見るか",
        /// A replacement that cannot be carried out cannot be chosen.
        PossibleOnly = "行えない置換を選べるか",
        /// A delayed ability goes with the card it is about.
        DelayedGoes = "後で誘発する能力は、対象のカードが移動したら失われるか",
        /// One instruction does not choose the same thing twice.
        Distinct = "1つの指示で同じものを二度選べるか",
        /// A number is shared out, at least one to each.
        Shares = "割り振りは1以上ずつか",
        /// Nothing on the pile is its own target.
        NotItself = "スタックやチェーンの上のものが自分自身を対象にできるか",
        /// One datum is used where another is asked for.
        ReadsAs = "あるデータの代わりに別のデータを使うか",
        /// A card that went to a hidden zone is not found there.
        FindsInTheOpen = "非公開の場所へ移動したカードを追いかけるか",
        /// Words that are changed replace the old ones.
        Becomes = "変わった言葉が前の言葉に置きかわるか",
        /// What one may do is done in full or not at all.
        MayInFull = "してよいことは、すべてできるときだけできるか",
        /// What was done to nothing, or no times, was not done.
        NothingDone = "0枚・0回のことを行ったとみなすか",
        /// What already is so does not become so.
        SameState = "すでにその状態のものが、その状態になるか",
        /// A replacement applies to an event once.
        ReplacesOnce = "1つの置換効果が同じ出来事を一度しか置き換えないか",
        /// What can be replaced is replaced.
        Replaces = "置換効果で置き換えるか",
        /// An effect may leave an ability behind that waits for its moment.
        Later = "効果が後で誘発する能力を作れるか",
        /// What arrives together sees each other arrive.
        Companions = "同時に登場したカードの能力が互いの登場を見るか",
        /// Fractions are rounded up; not so: down.
        RoundsUp = "割り切れない数を切り上げるか",
    }
}

listed! {
    /// What the kernel merely does and a clause merely names: nothing would be left without it.
    Gloss {
        /// An instruction that is impossible is not carried out.
        Impossible = "できないことは行わない",
        /// A triggered ability triggers.
        Triggers = "誘発する",
        /// A static ability is in force.
        Lasts = "常に働く",
        /// A static ability also meets cards that come later.
        LastsOpen = "後から来るカードにも働く",
        /// Several cards are drawn one by one.
        OneByOne = "1枚ずつ引く",
        /// Up to so many are drawn, each time by choice.
        UpTo = "〜枚まで引く",
        /// A card that goes to another kind of zone is a new card.
        NewCard = "新しいカードになる",
        /// A card that goes from square to square stays the same.
        SameCard = "同じカードのままである",
        /// Numbers are made out once, when the effect begins.
        FixedOnce = "数は一度だけ決める",
        /// A card goes to its owner's zone.
        OwnersZone = "持ち主のゾーンへ行く",
        /// A card put into play by an effect is its controller's.
        PutBy = "置いたプレイヤーのものになる",
        /// Or that of the player the text names.
        PutByNamed = "指定されたプレイヤーのものになる",
        /// Of several that are greatest or smallest, all are.
        Ties = "同じ値ならどれも",
        /// A price asked for as a number is the sum of its symbols.
        Total = "コストの合計",
        /// Places in a text are seen from its controller.
        Perspective = "支配者から見た場所",
        /// A card has all the words that are listed.
        Several = "並んだ言葉のすべてを持つ",
        /// A card that lies face down with another has no front.
        NoFront = "表の情報を持たない",
        /// A card that lies face up with another.
        LiesOpen = "表向きに付いている",
        /// An event from square to square.
        WithinBoard = "場の中の移動",
        /// How long an effect lasts.
        Duration = "効果の期間",
        /// A replacement that an effect made.
        MadeReplacement = "効果が作った置換",
        /// What may be done is decided when it resolves.
        Optional = "してよいことは解決時に決める",
        /// No target was chosen.
        NoTarget = "対象がない",
        /// A card that is hidden now is read as it last lay open.
        LastOpen = "最後に公開されていた時の情報を見る",
        /// A card that lies face down and was chosen by its front is shown.
        ShowsFront = "裏向きのカードを表の情報で選んだら公開する",
        /// A card without a datum is not spoken of by what asks for it.
        Beyond = "参照できない値を条件とするものは及ばない",
        /// A card that is a part of another is spoken of all the same by what names its class.
        Part = "一部になっているカードを、その種類を言うものは1枚として参照する",
        /// What was added to a card stays with it.
        Follows = "加えられたものは移動した先でも持つ",
        /// What is not chosen when something is played is chosen when it resolves, by whom the text names.
        AtResolution = "解決時に選ぶ",
        /// A text that names no place speaks of cards in play.
        InPlay = "場所を言わないテキストは場のカードにだけ及ぶ",
        /// A number that cannot be made out counts as 0, or what rests on it is not done.
        Undefined = "決まらない数",
        /// A card is put so many from the top of a pile.
        NthFromTop = "上から何枚目かに置く",
        /// A number before anything raised or lowered it.
        Base = "元々の数",
        /// A number that is chosen is not below nothing, whatever the text says.
        AtLeastNothing = "選ぶ数は0以上",
        /// Who is told to choose so many chooses as many as there are.
        NotFewer = "選べるだけ選ぶ",
        /// What is open to all and what is hidden.
        Information = "公開と非公開",
    }
}
