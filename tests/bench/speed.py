#!/usr/bin/env python3
"""A cold process beside sqlite FTS5 and ripgrep, in one hyperfine run, with ratios.

    cargo build --release && python3 tests/bench/speed.py [target/release/saitei] [runs]

Needs hyperfine, rg, sqlite3 and PyYAML. sqlite gets the same clauses (title, text) in a trigram index, asked by the
word itself or by the OR of all trigrams of a question; ripgrep searches rules/ for the word, or for two words of it.
"""

import glob
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile

import yaml

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
WORD = "優先権"
QUESTION = "ライフシールドがあるときにダメージを受けたら"
TWO_WORDS = "ライフシールド.*ダメージ"
NUMBER = "102.4"


def clauses():
    for path in sorted(glob.glob(f"{ROOT}/rules/*/*.yaml")):
        with open(path, encoding="utf-8") as file:
            data = yaml.load(file, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
        for node in data.get("nodes", []) if isinstance(data, dict) else []:
            text = re.sub(r"[\[][^]]*[]]", "", node.get("text") or "")
            yield node["id"].split(":")[0], node["id"], (node.get("title") or "") + "\n" + text


def database(path):
    quote = lambda text: "'" + text.replace("'", "''") + "'"
    rows = ",\n".join("(" + ",".join(map(quote, row)) + ")" for row in clauses())
    script = "create virtual table clause using fts5(game unindexed, id unindexed, text, tokenize='trigram');\n"
    script += f"insert into clause values {rows};\ninsert into clause(clause) values ('optimize');\n"
    subprocess.run(["sqlite3", path], input=script, text=True, check=True)


def sqlite(path, wanted, game=None):
    grams = [wanted[i : i + 3] for i in range(len(wanted) - 2)]
    match = " OR ".join(f'"{gram}"' for gram in grams)
    only = f" and game='{game}'" if game else ""
    ask = f"select id, text from clause where clause match '{match}'{only} order by bm25(clause) limit 10;"
    return ["sqlite3", path, ask]


def main():
    saitei = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else f"{ROOT}/target/release/saitei")
    runs = sys.argv[2] if len(sys.argv) > 2 else "300"
    with tempfile.TemporaryDirectory() as scratch:
        path = f"{scratch}/clauses.db"
        database(path)
        # Each row: what is asked, ours, the peers.
        rows = [
            ("a word, all games", [saitei, "find", WORD], [sqlite(path, WORD), ["rg", "-n", WORD, f"{ROOT}/rules"]]),
            (
                "a question, one game",
                [saitei, "find", "-g", "zx", QUESTION],
                [sqlite(path, QUESTION, "zx"), ["rg", "-n", TWO_WORDS, f"{ROOT}/rules/zx"]],
            ),
            (
                "a question, all games",
                [saitei, "find", QUESTION],
                [sqlite(path, QUESTION), ["rg", "-n", TWO_WORDS, f"{ROOT}/rules"]],
            ),
            ("a number", [saitei, "show", "zx", NUMBER], [["rg", "-n", re.escape(NUMBER), f"{ROOT}/rules/zx"]]),
        ]
        commands = [command for _, ours, peers in rows for command in [ours, *peers]]
        told = f"{scratch}/told.json"
        environment = dict(os.environ, SAITEI_HOME=f"{scratch}/home")
        environment.pop("SAITEI_DATA", None)
        subprocess.run(
            ["hyperfine", "-N", "-i", "--warmup", "10", "--runs", runs, "--export-json", told, "--style", "none"]
            + [shlex.join(command) for command in commands],
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=True,
        )
        with open(told, encoding="utf-8") as file:
            results = iter(json.load(file)["results"])
        print(f"{'asked':<24}{'program':<10}{'mean ms':>9}{'± sd':>7}{'median':>8}{'ours / theirs':>15}")
        for asked, ours, peers in rows:
            mine = None
            for command in [ours, *peers]:
                result = next(results)
                mean, deviation, median = (1000 * (result[k] or 0) for k in ("mean", "stddev", "median"))
                mine = mine or mean
                ratio = "" if command is ours else f"{mine / mean:.2f}"
                name = os.path.basename(command[0])
                print(f"{asked:<24}{name:<10}{mean:>9.2f}{deviation:>7.2f}{median:>8.2f}{ratio:>15}")


if __name__ == "__main__":
    main()
