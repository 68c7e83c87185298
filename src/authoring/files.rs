//! Where the parts of a file come from that are in files of their own.

use crate::format::source_text::{SourceText, parse_with_text};
use crate::format::{AuthoringError, Inline, Problem};
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// Reads the files that a file refers to.
pub trait FileSource {
    /// The bytes of the file at `path`, and the name to show in errors.
    ///
    /// # Errors
    /// Why it cannot be read, in one sentence for the author.
    fn read(&self, path: &str) -> Result<(String, Vec<u8>), String>;

    /// The place of the file at `path` on disk, for a file that is too large to be read at once; `None` where it does not exist,
    /// or is not on disk.
    fn find(&self, _path: &str) -> Option<PathBuf> {
        None
    }
}

/// Files on disk: relative to a folder, then to `assets/`. Absolute paths are refused.
#[derive(Debug, Clone)]
pub struct Files {
    /// The folders to look in, in order; the first file found is taken.
    pub roots: Vec<PathBuf>,
}

impl Files {
    /// The folder of `file`, then `assets` in the current folder, then the nearest folder `assets` above `file`.
    #[must_use]
    pub fn beside(file: &Path) -> Self {
        let folder = file.parent().map(Path::to_path_buf).unwrap_or_default();
        let mut roots = vec![folder, PathBuf::from("assets")];
        let whole = std::path::absolute(file).unwrap_or_default();
        let above = whole.ancestors().skip(1);
        roots.extend(
            above
                .map(|folder| match folder.ends_with("assets") {
                    true => folder.to_path_buf(),
                    false => folder.join("assets"),
                })
                .find(|folder| folder.is_dir()),
        );
        Self { roots }
    }
}

/// The files that a file in `folder` names: those next to it, then those of the file that named it.
pub(crate) struct NextTo<'a> {
    /// As the file that named it wrote it; empty: there is no other folder.
    pub(crate) folder: &'a str,
    pub(crate) files: &'a dyn FileSource,
}

impl NextTo<'_> {
    fn path(&self, path: &str) -> Option<String> {
        (!self.folder.is_empty() && !is_rooted(Path::new(path)))
            .then(|| format!("{}/{path}", self.folder))
    }
}

impl FileSource for NextTo<'_> {
    fn read(&self, path: &str) -> Result<(String, Vec<u8>), String> {
        let next = self.path(path).and_then(|path| self.files.read(&path).ok());
        next.map_or_else(|| self.files.read(path), Ok)
    }

    fn find(&self, path: &str) -> Option<PathBuf> {
        let next = self.path(path).and_then(|path| self.files.find(&path));
        next.or_else(|| self.files.find(path))
    }
}

/// Whether a path does not depend on the folder from which it is read.
fn is_rooted(path: &Path) -> bool {
    let rooted = |part| matches!(part, Component::RootDir | Component::Prefix(_));
    path.components().any(rooted)
}

impl FileSource for Files {
    fn find(&self, path: &str) -> Option<PathBuf> {
        let relative = Some(Path::new(path)).filter(|path| !is_rooted(path))?;
        let roots = self.roots.iter();
        roots
            .map(|root| root.join(relative))
            .find(|full| full.is_file())
    }

    fn read(&self, path: &str) -> Result<(String, Vec<u8>), String> {
        let relative = Path::new(path);
        if is_rooted(relative) {
            return Err(format!(
                "the path \"{}\" is not relative",
                path.escape_debug()
            ));
        }
        for root in &self.roots {
            let full = root.join(relative);
            if let Ok(bytes) = read_bounded(&full) {
                return Ok((full.display().to_string(), bytes));
            }
        }
        Err(format!("there is no file \"{}\"", path.escape_debug()))
    }
}

/// Reads a file, but never more than [`crate::format::error::MAX_FILE_BYTES`] and one byte. A pipe, which might never end, is none.
///
/// # Errors
/// As [`fs::File::open`] and reading do.
pub fn read_bounded(path: &Path) -> std::io::Result<Vec<u8>> {
    if !fs::metadata(path)?.is_file() {
        return Err(std::io::Error::other("it is no file"));
    }
    let mut bytes = Vec::new();
    fs::File::open(path)?
        .take(crate::format::error::MAX_FILE_BYTES as u64 + 1)
        .read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Reads a file, and says by which name errors call it.
///
/// # Errors
/// When it cannot be read.
pub(crate) fn read_named(path: &Path) -> Result<(String, Vec<u8>), AuthoringError> {
    let file = path.display().to_string();
    match read_bounded(path) {
        Ok(bytes) => Ok((file, bytes)),
        Err(error) => Err(AuthoringError::whole(&file, error.to_string())),
    }
}

/// The wanted files below a folder, in order of the alphabet.
///
/// # Errors
/// When the folder or one below it cannot be read.
pub(crate) fn files_below(
    folder: &Path,
    wanted: impl Fn(&Path) -> bool,
) -> std::io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder)? {
            let entry = entry?.path();
            // A link to a folder is not followed: it could lead in a circle.
            if entry.is_dir() {
                if !entry.is_symlink() {
                    folders.push(entry);
                }
            } else if wanted(&entry) {
                files.push(entry);
            }
        }
    }
    files.sort();
    Ok(files)
}

/// Files in memory, by path: for tests and asset loaders.
#[derive(Debug, Clone, Default)]
pub(crate) struct MemoryFiles(pub BTreeMap<String, Vec<u8>>);

impl FileSource for MemoryFiles {
    fn read(&self, path: &str) -> Result<(String, Vec<u8>), String> {
        let bytes = self.0.get(path).cloned();
        bytes
            .map(|bytes| (path.to_owned(), bytes))
            .ok_or_else(|| format!("there is no file \"{}\"", path.escape_debug()))
    }
}

/// No other files: every path is an error.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoFiles;

impl FileSource for NoFiles {
    fn read(&self, path: &str) -> Result<(String, Vec<u8>), String> {
        Err(format!("there is no file \"{}\"", path.escape_debug()))
    }
}

/// One authored value with its source, so that problems found later can name their place.
#[derive(Debug, Clone)]
pub struct WithSource<T> {
    /// The value as it was parsed.
    pub value: T,
    /// The name by which errors call the file.
    pub file: String,
    /// The file's text, shared by all its parts.
    pub source: Arc<SourceText>,
    /// The place of the value in the file, as a JSON pointer.
    pub base: String,
    /// The folder of the file, as the file that names it wrote it; empty where no file names it.
    pub folder: String,
}

impl<T: DeserializeOwned> WithSource<T> {
    /// Parses a whole file.
    ///
    /// # Errors
    /// An [`AuthoringError`] with the place.
    pub fn parse(bytes: &[u8], file: &str) -> Result<Self, AuthoringError> {
        let (value, source) = parse_with_text(bytes, file)?;
        Ok(Self {
            value,
            file: file.to_owned(),
            source: Arc::new(source),
            base: String::new(),
            folder: String::new(),
        })
    }
}

impl<T> WithSource<T> {
    /// A part of this file that is written here, or in its own file.
    ///
    /// # Errors
    /// The place of the path when there is no such file, or the place inside that file.
    pub fn part<P: Clone + DeserializeOwned>(
        &self,
        part: &Inline<P>,
        pointer: &str,
        files: &dyn FileSource,
    ) -> Result<WithSource<P>, AuthoringError> {
        match part {
            Inline::Here(value) => Ok(WithSource {
                base: format!("{}{pointer}", self.base),
                ..self.with(value.clone())
            }),
            Inline::Path(path) => {
                let (file, bytes) = files
                    .read(path)
                    .map_err(|why| self.locate(&Problem::new(pointer, why)))?;
                let part = WithSource::parse(&bytes, &file)?;
                Ok(part.named(path))
            }
        }
    }

    /// Another value at the same place.
    pub(crate) fn with<P>(&self, value: P) -> WithSource<P> {
        WithSource {
            value,
            file: self.file.clone(),
            source: self.source.clone(),
            base: self.base.clone(),
            folder: self.folder.clone(),
        }
    }

    /// The same, named by this path.
    pub(crate) fn named(mut self, path: &str) -> Self {
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        folder.clone_into(&mut self.folder);
        self
    }

    /// The files that this file names.
    pub(crate) fn files<'a>(&'a self, files: &'a dyn FileSource) -> NextTo<'a> {
        NextTo {
            folder: &self.folder,
            files,
        }
    }

    /// A problem inside this value, with its file, line and column.
    #[must_use]
    pub fn locate(&self, problem: &Problem) -> AuthoringError {
        let pointer = format!("{}{}", self.base, problem.pointer);
        let message = problem.message.as_str();
        self.source.error(&self.file, &pointer, message)
    }

    /// The same for problems that may be in parts of this value with files of their own. Each part has its pointer in this value.
    pub(crate) fn locate_in_parts<P>(
        &self,
        parts: &[(String, WithSource<P>)],
        problems: &[Problem],
    ) -> Vec<AuthoringError> {
        let locate = |problem: &Problem| {
            let in_part = parts.iter().find_map(|(pointer, part)| {
                let rest = problem.pointer.strip_prefix(pointer.as_str())?;
                let is_inside = rest.is_empty() || rest.starts_with('/');
                let is_other = is_inside && part.file != self.file;
                is_other.then(|| part.locate(&Problem::new(rest, problem.message.as_str())))
            });
            in_part.unwrap_or_else(|| self.locate(problem))
        };
        problems.iter().map(locate).collect()
    }

    /// Problems inside this value, each with its file, line and column.
    #[must_use]
    pub fn locate_all(&self, problems: &[Problem]) -> Vec<AuthoringError> {
        problems
            .iter()
            .map(|problem| self.locate(problem))
            .collect()
    }
}
