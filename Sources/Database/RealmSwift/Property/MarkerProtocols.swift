// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation

// Marker protocols for generic constraints of the public API. They have no requirements, and conforming a type of your
// own has no effect.

/// A type that `@Persisted(indexed: true)` accepts.
@_marker public protocol _Indexable {}

/// A type that `@Persisted(fullText: true)` accepts.
@_marker public protocol _FullTextIndexable {}

/// A type that `@Persisted(primaryKey: true)` accepts.
@_marker public protocol _PrimaryKey {}

/// A type whose collections have a minimum and a maximum.
@_marker public protocol MinMaxType {}

/// A type whose collections have a sum and an average.
@_marker public protocol AddableType {}

/// A type whose collections can be sorted by their elements.
@_marker public protocol SortableType {}

/// A type whose collections can be sorted by properties of their elements.
@_marker public protocol KeypathSortable {}

extension Int: _PrimaryKey, _Indexable, MinMaxType, AddableType, SortableType {}
extension Int8: _PrimaryKey, _Indexable, MinMaxType, AddableType, SortableType {}
extension Int16: _PrimaryKey, _Indexable, MinMaxType, AddableType, SortableType {}
extension Int32: _PrimaryKey, _Indexable, MinMaxType, AddableType, SortableType {}
extension Int64: _PrimaryKey, _Indexable, MinMaxType, AddableType, SortableType {}
// `Bool` satisfies `primaryKey:` at compile time and is rejected when the schema is built, as in the original.
extension Bool: _PrimaryKey, _Indexable {}
extension Float: MinMaxType, AddableType, SortableType {}
extension Double: MinMaxType, AddableType, SortableType {}
extension String: _PrimaryKey, _Indexable, _FullTextIndexable, SortableType {}
extension Data: SortableType {}
extension Date: _Indexable, MinMaxType, SortableType {}
extension Decimal128: MinMaxType, AddableType, SortableType {}
extension AnyRealmValue: MinMaxType, AddableType, SortableType {}
extension ObjectId: _PrimaryKey, _Indexable {}
extension UUID: _PrimaryKey, _Indexable {}

extension Optional: _PrimaryKey where Wrapped: _Persistable, Wrapped.PersistedType: _PrimaryKey {}
extension Optional: _Indexable where Wrapped: _Persistable, Wrapped.PersistedType: _Indexable {}
extension Optional: _FullTextIndexable where Wrapped: _Persistable, Wrapped.PersistedType: _FullTextIndexable {}
extension Optional: MinMaxType where Wrapped: MinMaxType {}
extension Optional: AddableType where Wrapped: AddableType {}
extension Optional: SortableType where Wrapped: SortableType {}
extension ObjectBase: KeypathSortable {}
