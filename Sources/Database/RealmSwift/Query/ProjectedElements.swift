// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// `ProjectedCollection` of any type, for inspecting the types of key paths.
protocol ProjectedElements {
    static var elementShape: _PropertyShape? { get }
}
