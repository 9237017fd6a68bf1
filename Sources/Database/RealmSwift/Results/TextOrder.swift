// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmQuery

/// The order of texts in a query. An addition to Realm's API, which supports only the order of bytes.
///
/// ```swift
/// let tracks = realm.objects(Track.self).sorted(by: \.title, order: .natural)
/// let names = realm.objects(Person.self).sorted(by: \.name, order: .localized(Locale(identifier: "sv_SE")))
/// ```
///
/// No additional data are stored: the texts are compared as they are.
public struct TextOrder: Sendable, Equatable, CustomStringConvertible {
    /// nil for the order of bytes.
    let collation: TextCollation?

    /// Orders texts by their bytes in UTF-8: capitals of the Latin alphabet first, then its small letters, then all
    /// others. The order of Realm.
    public static let binary = TextOrder(collation: nil)

    /// Orders numbers in texts by their value: "track 9" is before "Track 10". Case matters only if texts are otherwise
    /// equal.
    public static let natural = TextOrder(collation: .natural)

    /// Returns the order of the dictionaries of a language and a country; with `numeric`, digits count as the number
    /// that they write.
    public static func localized(_ locale: Locale = .current, numeric: Bool = false) -> TextOrder {
        let options: String.CompareOptions = numeric ? [.numeric] : []
        let name = "localized (\(locale.identifier)\(numeric ? ", numeric" : ""))"
        return TextOrder(
            collation: TextCollation(name) { $0.compare($1, options: options, range: nil, locale: locale).rawValue })
    }

    public var description: String { collation?.name ?? "binary" }
}

extension RealmCollection where Element: KeypathSortable {
    /// Returns the elements in the order of a property that is a text, or of one of linked objects. An addition to
    /// Realm's API.
    public func sorted(byKeyPath keyPath: String, ascending: Bool = true, order: TextOrder) -> Results<Element> {
        sorted(by: [SortDescriptor(keyPath: keyPath, ascending: ascending, order: order)])
    }

    /// Returns the elements in the order of a property that is a text, or of one of linked objects. An addition to
    /// Realm's API.
    public func sorted<T: _HasPersistedType>(
        by keyPath: KeyPath<Element, T>, ascending: Bool = true, order: TextOrder
    ) -> Results<Element> where T.PersistedType: SortableType, Element: ObjectBase {
        sorted(by: [SortDescriptor(keyPath: keyPath, ascending: ascending, order: order)])
    }
}

extension RealmCollection where Element.PersistedType: SortableType {
    /// Returns the values, which are texts, in order. An addition to Realm's API.
    public func sorted(ascending: Bool = true, order: TextOrder) -> Results<Element> {
        sorted(by: [SortDescriptor(keyPath: "self", ascending: ascending, order: order)])
    }
}
