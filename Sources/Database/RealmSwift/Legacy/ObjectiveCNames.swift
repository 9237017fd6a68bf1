// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation

// The names of the original's Objective-C half that Swift code uses. They denote the Swift types, because Regnum has no
// Objective-C half.

/// Another name of ``Object``, which the Objective-C half of Realm's SDK has.
public typealias RLMObject = Object
/// Another name of ``EmbeddedObject``, which the Objective-C half of Realm's SDK has.
public typealias RLMEmbeddedObject = EmbeddedObject
/// Another name of ``Realm``, which the Objective-C half of Realm's SDK has.
public typealias RLMRealm = Realm
/// Another name of ``Realm/Notification``, which the Objective-C half of Realm's SDK has.
public typealias RLMNotification = Realm.Notification
/// Another name of ``Results``, which the Objective-C half of Realm's SDK has.
public typealias RLMResults<Element: RealmCollectionValue> = Results<Element>
/// Another name of ``LinkingObjects``, which the Objective-C half of Realm's SDK has.
public typealias RLMLinkingObjects<Element: ObjectBase & RealmCollectionValue> = LinkingObjects<Element>
/// Another name of ``List``, which the Objective-C half of Realm's SDK has.
public typealias RLMArray<Element: RealmCollectionValue> = List<Element>
/// Another name of ``MutableSet``, which the Objective-C half of Realm's SDK has.
public typealias RLMSet<Element: RealmCollectionValue> = MutableSet<Element>
/// Another name of ``Map``, which the Objective-C half of Realm's SDK has.
public typealias RLMDictionary<Key: _MapKey, Value: RealmCollectionValue> = Map<Key, Value>
/// Another name of ``Schema``, which the Objective-C half of Realm's SDK has.
public typealias RLMSchema = Schema
/// Another name of ``ObjectSchema``, which the Objective-C half of Realm's SDK has.
public typealias RLMObjectSchema = ObjectSchema
/// Another name of ``Property``, which the Objective-C half of Realm's SDK has.
public typealias RLMProperty = Property
/// Another name of ``PropertyType``, which the Objective-C half of Realm's SDK has.
public typealias RLMPropertyType = PropertyType
/// Another name of ``PropertyChange``, which the Objective-C half of Realm's SDK has.
public typealias RLMPropertyChange = PropertyChange
/// Another name of ``SortDescriptor``, which the Objective-C half of Realm's SDK has.
public typealias RLMSortDescriptor = SortDescriptor
/// Another name of ``ObjectId``, which the Objective-C half of Realm's SDK has.
public typealias RLMObjectId = ObjectId
/// Another name of ``Decimal128``, which the Objective-C half of Realm's SDK has.
public typealias RLMDecimal128 = Decimal128
/// Another name of ``AnyRealmValue``, which the Objective-C half of Realm's SDK has.
public typealias RLMValue = AnyRealmValue

/// The schema version of a file without one.
public let RLMNotVersioned = UInt64.max

/// Returns the path of a Realm's file in the default folder.
///
/// - Parameter fileName: The name of the file, with its extension.
/// - Returns: The path of a file of that name in the folder of the default Realm; the file need not exist.
public func RLMRealmPathForFile(_ fileName: String) -> String {
    Realm.Configuration.defaultFileURL.deletingLastPathComponent().appendingPathComponent(fileName).path
}
