//! The Japanese wording of a card, made from its encoding.
