// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmQuery

/// The order of strings in a sorted query. An addition to Realm's API, which supports only the order of bytes.
///
/// ```swift
/// let tracks = realm.objects(Track.self).sorted(by: \.title, order: .natural)
/// let names = realm.objects(Person.self).sorted(by: \.name, order: .localized(Locale(identifier: "sv_SE")))
/// ```
///
/// The order isn't stored: the database compares the strings when the query runs.
public struct TextOrder: Sendable, Equatable, CustomStringConvertible {
    /// nil for the order of bytes.
    let collation: TextCollation?

    /// The order of the strings' UTF-8 bytes, as in Realm. All uppercase letters of the Latin alphabet precede all
    /// lowercase ones, and both precede all other letters.
    public static let binary = TextOrder(collation: nil)

    /// The order in which numbers within strings are compared by their value: "track 9" precedes "Track 10". Case
    /// matters only if strings are otherwise equal.
    public static let natural = TextOrder(collation: .natural)

    /// Returns the dictionary order of a locale. With `numeric`, numbers within strings are compared by their value.
    public static func localized(_ locale: Locale = .current, numeric: Bool = false) -> TextOrder {
        let options: String.CompareOptions = numeric ? [.numeric] : []
        let name = "localized (\(locale.identifier)\(numeric ? ", numeric" : ""))"
        return TextOrder(
            collation: TextCollation(name) { $0.compare($1, options: options, range: nil, locale: locale).rawValue })
    }

    public var description: String { collation?.name ?? "binary" }
}

extension RealmCollection where Element: KeypathSortable {
    /// Returns the elements sorted by a string property, or by one of a linked object. An addition to Realm's API.
    public func sorted(byKeyPath keyPath: String, ascending: Bool = true, order: TextOrder) -> Results<Element> {
        sorted(by: [SortDescriptor(keyPath: keyPath, ascending: ascending, order: order)])
    }

    /// Returns the elements sorted by a string property, or by one of a linked object. An addition to Realm's API.
    public func sorted<T: _HasPersistedType>(
        by keyPath: KeyPath<Element, T>, ascending: Bool = true, order: TextOrder
    ) -> Results<Element> where T.PersistedType: SortableType, Element: ObjectBase {
        sorted(by: [SortDescriptor(keyPath: keyPath, ascending: ascending, order: order)])
    }
}

extension RealmCollection where Element.PersistedType: SortableType {
    /// Returns the strings, sorted. An addition to Realm's API.
    public func sorted(ascending: Bool = true, order: TextOrder) -> Results<Element> {
        sorted(by: [SortDescriptor(keyPath: "self", ascending: ascending, order: order)])
    }
}
