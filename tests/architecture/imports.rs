//! What a file imports: every `use` and every path in its code, followed to the file that defines the thing.
//!
//! - A `pub use` of an item below the file is a table of contents, not an import. A file that imports from the table imports
//!   from the file that the entry names.
//! - Naming only a module (`use crate::world;`) is not an import; using the paths that begin with its name is.
//! - Code that only tests see does not count, nor do paths in `pub(in ..)` and in documentation.
//! - Paths in the arguments of macros and attributes count, also in strings (`#[serde(with = "crate::base::x")]`).

use crate::sources::{Module, Sources, file_of, is_for_tests};
use proc_macro2::{Spacing, TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Display};
use syn::visit::{self, Visit};
use syn::{
    Attribute, File, ImplItem, Item, ItemMod, ItemUse, Macro, Meta, Path, UseTree, Visibility,
};

/// One file's use of another.
#[derive(Clone)]
pub struct Import {
    pub from: Module,
    pub to: Module,
    /// The path as the file writes it: `crate::gate::Approved`.
    path: String,
    /// The line in the file, from 1.
    line: usize,
}

impl Import {
    /// Whether the path names this item.
    pub fn names(&self, item: &str) -> bool {
        self.path.rsplit("::").next() == Some(item)
    }

    /// The same between rooms, which are the top-level folders of the files; `None` within a room.
    pub fn between_rooms(&self) -> Option<Self> {
        let room = |file: &Module| file.first().map(|room| vec![room.clone()]);
        let (from, to) = (room(&self.from)?, room(&self.to)?);
        (from != to).then(|| Self {
            from,
            to,
            ..self.clone()
        })
    }
}

impl Display for Import {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            out,
            "{}:{}: {} in {}",
            file_of(&self.from),
            self.line,
            self.path,
            file_of(&self.to)
        )
    }
}

/// Every import between two of the files.
pub fn imports(sources: &Sources) -> Vec<Import> {
    let mut names = Names {
        sources,
        of: BTreeMap::new(),
    };
    let mut written = Vec::new();
    for (module, file) in sources.iter() {
        let read = read(module, file);
        names.of.insert(module.clone(), read.names);
        written.push((module, read.paths));
    }
    let mut found = Vec::new();
    for (module, paths) in written {
        for path in paths {
            let Some((to, rest)) = names.resolve(&path.base, &path.segments, DEPTH) else {
                continue;
            };
            let listed = path.public && to.len() > module.len() && to.starts_with(module);
            if to != *module && !rest.is_empty() && !listed {
                found.push(Import {
                    from: module.clone(),
                    to,
                    path: path.segments.join("::"),
                    line: path.line,
                });
            }
        }
    }
    found
}

/// How many re-exports in a row the reader follows.
const DEPTH: u8 = 8;

/// What can be found under a name in a file.
#[derive(Default)]
struct FileNames {
    /// What the file defines.
    defined: BTreeSet<String>,
    /// The names that its `use`s bring in, with their origin; `true` if other files see them too.
    brought: BTreeMap<String, (Module, Vec<String>, bool)>,
    /// The modules that it re-exports whole.
    globs: Vec<(Module, Vec<String>)>,
}

/// What each name refers to.
pub struct Names<'a> {
    sources: &'a Sources,
    of: BTreeMap<Module, FileNames>,
}

impl<'a> Names<'a> {
    pub fn read(sources: &'a Sources) -> Self {
        let names = sources.iter();
        let of = names.map(|(module, file)| (module.clone(), read(module, file).names));
        Self {
            sources,
            of: of.collect(),
        }
    }

    /// The file that defines what a path in a module names, and the rest of the path in that file: nothing for a module. `None` for items
    /// of other crates.
    pub fn lead(&self, module: &[String], path: &[String]) -> Option<(Module, Vec<String>)> {
        self.resolve(module, path, DEPTH)
    }

    /// The file that defines what a path names, and the rest of the path in that file: nothing for a module. `None` for items of other
    /// crates.
    fn resolve(
        &self,
        base: &[String],
        segments: &[String],
        depth: u8,
    ) -> Option<(Module, Vec<String>)> {
        let depth = depth.checked_sub(1)?;
        let (mut at, mut rest) = (base.to_vec(), segments);
        let first = rest.first()?;
        match first.as_str() {
            "crate" => {
                at.clear();
                rest = &rest[1..];
            }
            "self" => rest = &rest[1..],
            "super" => {
                while rest.first().is_some_and(|segment| segment == "super") {
                    at.pop()?;
                    rest = &rest[1..];
                }
            }
            _ if self.sources.has(&joined(&at, first)) => {}
            _ => {
                // A `use` brought in the name of a module. For any other item, the `use` itself is the import.
                let (from, path, _) = self.of.get(&self.file(&at))?.brought.get(first)?;
                let (module, left) = self.resolve(from, path, depth)?;
                if !left.is_empty() {
                    return None;
                }
                return self.within(module, &rest[1..], depth);
            }
        }
        self.within(at, rest, depth)
    }

    /// The same for a path below a module.
    fn within(&self, module: Module, rest: &[String], depth: u8) -> Option<(Module, Vec<String>)> {
        let depth = depth.checked_sub(1)?;
        let (mut at, mut rest) = (module, rest);
        while let Some(first) = rest.first()
            && self.sources.has(&joined(&at, first))
        {
            at.push(first.clone());
            rest = &rest[1..];
        }
        let file = self.file(&at);
        let Some(first) = rest.first() else {
            return Some((file, Vec::new()));
        };
        let names = self.of.get(&file)?;
        if !names.defined.contains(first) {
            if let Some((from, path, true)) = names.brought.get(first) {
                let (to, left) = self.resolve(from, path, depth)?;
                return if left.is_empty() {
                    self.within(to, &rest[1..], depth)
                } else {
                    Some((to, left))
                };
            }
            for (from, path) in &names.globs {
                if let Some((to, left)) = self.resolve(from, path, depth)
                    && left.is_empty()
                    && let Some((found, name)) = self.within(to, rest, depth)
                    && self
                        .of
                        .get(&found)
                        .is_some_and(|names| names.defined.contains(&name[0]))
                {
                    return Some((found, name));
                }
            }
        }
        Some((file, rest.to_vec()))
    }

    /// The file that contains a module: the module's own file, or that of an enclosing module.
    fn file(&self, module: &[String]) -> Module {
        let mut file = module.to_vec();
        while !self.sources.has(&file) && file.pop().is_some() {}
        file
    }
}

fn joined(module: &[String], child: &str) -> Module {
    module.iter().cloned().chain([child.to_owned()]).collect()
}

/// A path as a file writes it.
struct Written {
    /// The module in which the path is written.
    base: Module,
    segments: Vec<String>,
    line: usize,
    /// Whether it is re-exported.
    public: bool,
}

#[derive(Default)]
struct Reader {
    at: Module,
    names: FileNames,
    paths: Vec<Written>,
}

fn read(module: &Module, file: &File) -> Reader {
    let mut reader = Reader {
        at: module.clone(),
        ..Reader::default()
    };
    reader.names.defined = file.items.iter().filter_map(name_of).collect();
    reader.visit_file(file);
    reader
}

/// The name under which an item can be imported.
fn name_of(item: &Item) -> Option<String> {
    let name = match item {
        Item::Const(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::Fn(item) => &item.sig.ident,
        Item::Macro(item) => item.ident.as_ref()?,
        Item::Mod(item) if item.content.is_some() => &item.ident,
        Item::Static(item) => &item.ident,
        Item::Struct(item) => &item.ident,
        Item::Trait(item) => &item.ident,
        Item::TraitAlias(item) => &item.ident,
        Item::Type(item) => &item.ident,
        Item::Union(item) => &item.ident,
        _ => return None,
    };
    Some(name.to_string())
}

impl Reader {
    fn write_down(&mut self, segments: Vec<String>, line: usize, public: bool) {
        if segments.len() > 1 {
            self.paths.push(Written {
                base: self.at.clone(),
                segments,
                line,
                public,
            });
        }
    }

    fn follow(&mut self, before: &[String], tree: &UseTree, line: usize, public: bool) {
        match tree {
            UseTree::Path(path) => self.follow(
                &joined(before, &path.ident.to_string()),
                &path.tree,
                line,
                public,
            ),
            UseTree::Group(group) => {
                for tree in &group.items {
                    self.follow(before, tree, line, public);
                }
            }
            UseTree::Name(name) => self.bring(before, &name.ident.to_string(), None, line, public),
            UseTree::Rename(name) => {
                self.bring(
                    before,
                    &name.ident.to_string(),
                    Some(name.rename.to_string()),
                    line,
                    public,
                );
            }
            UseTree::Glob(_) => {
                if public {
                    self.names.globs.push((self.at.clone(), before.to_vec()));
                }
                // The name `*` is a placeholder for all imported items.
                self.write_down(joined(before, "*"), line, public);
            }
        }
    }

    fn bring(
        &mut self,
        before: &[String],
        name: &str,
        alias: Option<String>,
        line: usize,
        public: bool,
    ) {
        let path = if name == "self" {
            before.to_vec()
        } else {
            joined(before, name)
        };
        if let Some(own) = alias.or_else(|| path.last().cloned()) {
            self.names
                .brought
                .insert(own, (self.at.clone(), path.clone(), public));
        }
        self.write_down(path, line, public);
    }

    /// Paths among tokens that are not parsed: the arguments of macros and attributes.
    fn scan(&mut self, tokens: TokenStream) {
        let mut path: Vec<String> = Vec::new();
        let mut line = 0;
        let mut colons = 0;
        for token in tokens {
            match token {
                TokenTree::Ident(name) => {
                    if colons != 2 {
                        self.write_down(std::mem::take(&mut path), line, false);
                        line = name.span().start().line;
                    }
                    path.push(name.to_string());
                    colons = 0;
                    continue;
                }
                TokenTree::Punct(sign) if sign.as_char() == ':' => {
                    let pair = colons == 0 && sign.spacing() == Spacing::Joint || colons == 1;
                    colons = if pair { colons + 1 } else { 0 };
                    if pair {
                        continue;
                    }
                }
                TokenTree::Group(group) => self.scan(group.stream()),
                TokenTree::Literal(literal) => {
                    let at = literal.span().start().line;
                    let text = literal.to_string();
                    if let Ok(named) = syn::parse_str::<Path>(text.trim_matches('"')) {
                        self.write_down(segments_of(&named), at, false);
                    }
                }
                TokenTree::Punct(_) => {}
            }
            self.write_down(std::mem::take(&mut path), line, false);
            colons = 0;
        }
        self.write_down(path, line, false);
    }
}

fn segments_of(path: &Path) -> Vec<String> {
    path.segments
        .iter()
        .map(|segment| segment.ident.to_string())
        .collect()
}

impl<'a> Visit<'a> for Reader {
    fn visit_item(&mut self, item: &'a Item) {
        let attributes = match item {
            Item::Const(item) => &item.attrs,
            Item::Enum(item) => &item.attrs,
            Item::Fn(item) => &item.attrs,
            Item::Impl(item) => &item.attrs,
            Item::Macro(item) => &item.attrs,
            Item::Mod(item) => &item.attrs,
            Item::Static(item) => &item.attrs,
            Item::Struct(item) => &item.attrs,
            Item::Trait(item) => &item.attrs,
            Item::Type(item) => &item.attrs,
            Item::Use(item) => &item.attrs,
            _ => &Vec::new(),
        };
        if !is_for_tests(attributes) {
            visit::visit_item(self, item);
        }
    }

    fn visit_impl_item(&mut self, item: &'a ImplItem) {
        let for_tests = matches!(item, ImplItem::Fn(method) if is_for_tests(&method.attrs));
        if !for_tests {
            visit::visit_impl_item(self, item);
        }
    }

    fn visit_item_mod(&mut self, item: &'a ItemMod) {
        self.at.push(item.ident.to_string());
        visit::visit_item_mod(self, item);
        self.at.pop();
    }

    fn visit_item_use(&mut self, item: &'a ItemUse) {
        let line = item.use_token.span.start().line;
        self.follow(
            &[],
            &item.tree,
            line,
            !matches!(item.vis, Visibility::Inherited),
        );
    }

    fn visit_path(&mut self, path: &'a Path) {
        let line = path
            .segments
            .first()
            .map_or(0, |first| first.ident.span().start().line);
        self.write_down(segments_of(path), line, false);
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, called: &'a Macro) {
        self.visit_path(&called.path);
        self.scan(called.tokens.clone());
    }

    fn visit_attribute(&mut self, attribute: &'a Attribute) {
        if let Meta::List(list) = &attribute.meta {
            self.scan(list.tokens.clone());
        }
    }

    fn visit_visibility(&mut self, _: &'a Visibility) {}
}
