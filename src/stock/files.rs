//! Reads files that a stranger may have made: regular ones only, never more of them than asked for, and folders whose
//! links do not go round. What is wrong is said in Japanese.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

/// The largest data file that is read. The largest of ours has 0.2 MB.
pub const DATA: usize = 4 << 20;

/// Folders in folders: ours are four deep.
const DEEPEST: usize = 16;

/// The bytes of a regular file, if there are not more than `most`.
pub fn bytes(path: &Path, most: usize) -> Result<Vec<u8>, String> {
    // A FIFO would be waited for when it is opened.
    let kind = fs::metadata(path).map_err(|e| missing(&e))?.file_type();
    if kind.is_dir() {
        return Err("フォルダです。ファイルを指定してください".to_string());
    }
    if !kind.is_file() {
        return Err("通常のファイルではありません".to_string());
    }
    all_of(File::open(path).map_err(|e| reason(&e))?, most)
}

fn missing(error: &io::Error) -> String {
    if error.kind() == ErrorKind::NotFound { "ファイルがありません".to_string() } else { reason(error) }
}

/// Everything that comes, if it is not more than `most`.
pub fn all_of(from: impl Read, most: usize) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    from.take(most as u64 + 1).read_to_end(&mut bytes).map_err(|e| reason(&e))?;
    if bytes.len() > most {
        return Err(format!("ファイルが大きすぎます（上限は{}MB）", most >> 20));
    }
    Ok(bytes)
}

/// A UTF-8 text, with or without a byte order mark.
pub fn text(path: &Path, most: usize) -> Result<String, String> {
    let mut text = String::from_utf8(bytes(path, most)?).map_err(|_| "UTF-8のテキストではありません".to_string())?;
    if text.starts_with('\u{feff}') {
        text.drain(..'\u{feff}'.len_utf8());
    }
    Ok(text)
}

/// The YAML files under a folder, in order of path; and what cannot be entered, with the reason.
pub fn tree(root: &Path) -> (Vec<PathBuf>, Vec<(PathBuf, String)>) {
    let (mut found, mut refused) = (Vec::new(), Vec::new());
    walk(root, &mut Vec::new(), &mut found, &mut refused);
    (found, refused)
}

fn walk(dir: &Path, above: &mut Vec<PathBuf>, found: &mut Vec<PathBuf>, refused: &mut Vec<(PathBuf, String)>) {
    let here = match dir.canonicalize() {
        Ok(here) if above.contains(&here) => {
            return refused.push((dir.into(), "リンクが上のフォルダに戻っています".to_string()));
        }
        Ok(_) if above.len() >= DEEPEST => return refused.push((dir.into(), "フォルダが深すぎます".to_string())),
        Ok(here) => here,
        Err(error) => return refused.push((dir.into(), reason(&error))),
    };
    let mut paths: Vec<PathBuf> = match fs::read_dir(dir) {
        Ok(entries) => entries.flatten().map(|e| e.path()).collect(),
        Err(error) => return refused.push((dir.into(), reason(&error))),
    };
    paths.sort();
    above.push(here);
    for path in paths {
        match fs::metadata(&path) {
            Ok(meta) if meta.is_dir() => walk(&path, above, found, refused),
            Ok(_) if path.extension().is_some_and(|e| e == "yaml") => found.push(path),
            Ok(_) => {}
            Err(error) if path.extension().is_some_and(|e| e == "yaml") => refused.push((path, reason(&error))),
            // A dangling link that is no data is nothing to us.
            Err(_) => {}
        }
    }
    above.pop();
}

/// What the system says, in Japanese.
pub fn reason(error: &io::Error) -> String {
    let known = match error.kind() {
        ErrorKind::NotFound => "見つかりません",
        ErrorKind::PermissionDenied => "権限がありません",
        ErrorKind::IsADirectory => "フォルダです",
        ErrorKind::NotADirectory => "フォルダではありません",
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => "空き容量がありません",
        ErrorKind::ReadOnlyFilesystem => "書き込めない場所です",
        ErrorKind::FileTooLarge => "ファイルが大きすぎます",
        ErrorKind::InvalidFilename => "ファイルの名が正しくありません",
        ErrorKind::InvalidData => "UTF-8のテキストではありません",
        ErrorKind::BrokenPipe => "読み手がいなくなりました",
        ErrorKind::AlreadyExists => "すでにあります",
        ErrorKind::OutOfMemory => "メモリが足りません",
        ErrorKind::TimedOut => "時間切れです",
        ErrorKind::UnexpectedEof => "途中で終わっています",
        _ => "",
    };
    match (known, error.raw_os_error()) {
        // Too many symbolic links; the kind has no stable name yet.
        ("", Some(40)) if cfg!(target_os = "linux") => "リンクが堂々巡りしています".to_string(),
        ("", Some(number)) => format!("システムの誤り{number}番"),
        ("", None) => "読み書きできません".to_string(),
        (known, _) => known.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_regular_files_of_the_right_size() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.yaml");
        fs::write(&path, "\u{feff}title: 題\n").unwrap();
        assert_eq!(text(&path, 100).unwrap(), "title: 題\n");
        assert!(text(&path, 4).unwrap_err().contains("大きすぎ"));
        assert!(bytes(dir.path(), 4).unwrap_err().contains("フォルダ"));
        assert!(bytes(&dir.path().join("b"), 4).unwrap_err().contains("ファイルがありません"));
    }

    #[cfg(unix)]
    #[test]
    fn links_that_go_round_are_refused() {
        use std::os::unix::fs::symlink;
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("in")).unwrap();
        fs::write(dir.path().join("in/a.yaml"), "").unwrap();
        symlink(dir.path(), dir.path().join("in/up")).unwrap();
        symlink(dir.path().join("me.yaml"), dir.path().join("me.yaml")).unwrap();
        symlink("/dev/zero", dir.path().join("zero.yaml")).unwrap();
        let (found, refused) = tree(dir.path());
        let names: Vec<_> = found.iter().map(|p| p.file_name().unwrap().to_str().unwrap()).collect();
        assert_eq!(names, ["a.yaml", "zero.yaml"]);
        assert_eq!(refused.len(), 2, "{refused:?}");
        assert!(bytes(&dir.path().join("zero.yaml"), 4).unwrap_err().contains("通常の"));
    }
}
