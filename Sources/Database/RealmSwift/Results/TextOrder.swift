// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmQuery

/// How texts are ordered. An addition to Realm's API, which knows the order of bytes only.
///
/// ```swift
/// let tracks = realm.objects(Track.self).sorted(by: \.title, order: .natural)
/// let names = realm.objects(Person.self).sorted(by: \.name, order: .localized(Locale(identifier: "sv_SE")))
/// ```
///
/// Nothing is stored for it: the texts are compared as they are.
public struct TextOrder: Sendable, Equatable, CustomStringConvertible {
    /// nil for the order of bytes.
    let collation: TextCollation?

    /// By the bytes of the texts in UTF-8: capitals of the Latin alphabet first, then its small letters, then all
    /// others. The order of Realm.
    public static let binary = TextOrder(collation: nil)

    /// As people count: "track 9" comes before "Track 10". Case matters only where texts are equal without it.
    public static let natural = TextOrder(collation: .natural)

    /// As the dictionaries of a language and a country have it; with `numeric`, digits count as the number that they
    /// write.
    public static func localized(_ locale: Locale = .current, numeric: Bool = false) -> TextOrder {
        let options: String.CompareOptions = numeric ? [.numeric] : []
        let name = "localized (\(locale.identifier)\(numeric ? ", numeric" : ""))"
        return TextOrder(
            collation: TextCollation(name) { $0.compare($1, options: options, range: nil, locale: locale).rawValue })
    }

    public var description: String { collation?.name ?? "binary" }
}

extension RealmCollection where Element: KeypathSortable {
    /// The elements in the order of a property that is a text, or of one of linked objects. An addition to Realm's API.
    public func sorted(byKeyPath keyPath: String, ascending: Bool = true, order: TextOrder) -> Results<Element> {
        sorted(by: [SortDescriptor(keyPath: keyPath, ascending: ascending, order: order)])
    }

    /// The elements in the order of a property that is a text, or of one of linked objects. An addition to Realm's API.
    public func sorted<T: _HasPersistedType>(
        by keyPath: KeyPath<Element, T>, ascending: Bool = true, order: TextOrder
    ) -> Results<Element> where T.PersistedType: SortableType, Element: ObjectBase {
        sorted(by: [SortDescriptor(keyPath: keyPath, ascending: ascending, order: order)])
    }
}

extension RealmCollection where Element.PersistedType: SortableType {
    /// The values, which are texts, in order. An addition to Realm's API.
    public func sorted(ascending: Bool = true, order: TextOrder) -> Results<Element> {
        sorted(by: [SortDescriptor(keyPath: "self", ascending: ascending, order: order)])
    }
}
