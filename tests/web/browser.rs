//! A real browser. Where there is none, that is said. Without JavaScript a page is what the server sends, and a browser
//! that is told to run no script cannot be asked for its tree either.

use std::process::Command;

use crate::socket::Server;

fn browser() -> Option<&'static str> {
    let there = |name: &&str| Command::new(name).arg("--version").output().is_ok_and(|o| o.status.success());
    ["chromium", "chromium-browser", "google-chrome"].into_iter().find(there)
}

/// The page as the browser has it in the end, or as it is without a script.
fn dom(browser: &str, server: &Server, path: &str, script: bool) -> String {
    if !script {
        return server.get(path);
    }
    let folder = tempfile::tempdir().unwrap();
    let output = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"])
        .args(["--disable-component-update", "--disable-sync", "--no-first-run", "--window-size=360,740"])
        .arg(format!("--user-data-dir={}", folder.path().display()))
        .arg("--dump-dom")
        .arg(format!("http://{}{path}", server.address))
        .output()
        .expect("a browser");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The first address in a page that begins so.
fn link(page: &str, begins: &str) -> Option<String> {
    let at = page.find(&format!("href=\"{begins}"))? + "href=\"".len();
    page[at..].split('"').next().map(|a| a.replace("&amp;", "&"))
}

#[test]
fn from_the_box_to_a_ruling_and_its_citation() {
    let Some(browser) = browser() else {
        println!("SKIPPED: no Chromium on this machine");
        return;
    };
    let server = Server::start();
    let question = saitei::web::address::encode("LPが同時に0になったら");
    for script in [false, true] {
        let found = dom(browser, &server, &format!("/find?q={question}&g=nova"), script);
        assert_eq!(found.contains("<html lang=\"ja\" class=\"js\">"), script, "the script has run");
        let ruling = link(&found, "/run/").expect("a ruling answers");
        let run = dom(browser, &server, &ruling, script);
        assert!(run.contains("結論") && run.contains("class=\"board\"") && run.contains("id=\"cite\""), "{ruling}");
        assert_eq!(run.contains("type=\"range\""), script, "the slider is the script's");
        let deciding = run.find("id=\"deciding\"").expect("something decides");
        let clause = link(&run[deciding..], "/nova/").expect("a clause decides");
        assert!(dom(browser, &server, &clause, script).contains("引用する"), "{clause}");
        // Three acts and one taken back.
        let played = dom(browser, &server, "/play/zx?a=1&a=1&a=1", script);
        let back = link(&played, "/play/zx?a=1&amp;a=1").expect("a way back");
        assert!(dom(browser, &server, &back, script).contains("2手"), "{back}");
    }
}
