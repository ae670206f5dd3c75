//! What is done: the script as written, the player who answers with it, passes that go without saying, answers that wait
//! for their question, and one attempt at the whole.

pub mod answer;
pub mod attempt;
pub mod legal;
pub mod passing;
pub mod player;
pub mod script;
pub mod waiting;
