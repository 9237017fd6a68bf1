// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation

// The names of the original's Objective-C half that Swift code uses. They denote the Swift types, because Regnum has no
// Objective-C half.

/// The name of ``Object`` in the Objective-C half of Realm's SDK.
public typealias RLMObject = Object
/// The name of ``EmbeddedObject`` in the Objective-C half of Realm's SDK.
public typealias RLMEmbeddedObject = EmbeddedObject
/// The name of ``Realm`` in the Objective-C half of Realm's SDK.
public typealias RLMRealm = Realm
/// The name of ``Realm/Notification`` in the Objective-C half of Realm's SDK.
public typealias RLMNotification = Realm.Notification
/// The name of ``Results`` in the Objective-C half of Realm's SDK.
public typealias RLMResults<Element: RealmCollectionValue> = Results<Element>
/// The name of ``LinkingObjects`` in the Objective-C half of Realm's SDK.
public typealias RLMLinkingObjects<Element: ObjectBase & RealmCollectionValue> = LinkingObjects<Element>
/// The name of ``List`` in the Objective-C half of Realm's SDK.
public typealias RLMArray<Element: RealmCollectionValue> = List<Element>
/// The name of ``MutableSet`` in the Objective-C half of Realm's SDK.
public typealias RLMSet<Element: RealmCollectionValue> = MutableSet<Element>
/// The name of ``Map`` in the Objective-C half of Realm's SDK.
public typealias RLMDictionary<Key: _MapKey, Value: RealmCollectionValue> = Map<Key, Value>
/// The name of ``Schema`` in the Objective-C half of Realm's SDK.
public typealias RLMSchema = Schema
/// The name of ``ObjectSchema`` in the Objective-C half of Realm's SDK.
public typealias RLMObjectSchema = ObjectSchema
/// The name of ``Property`` in the Objective-C half of Realm's SDK.
public typealias RLMProperty = Property
/// The name of ``PropertyType`` in the Objective-C half of Realm's SDK.
public typealias RLMPropertyType = PropertyType
/// The name of ``PropertyChange`` in the Objective-C half of Realm's SDK.
public typealias RLMPropertyChange = PropertyChange
/// The name of ``SortDescriptor`` in the Objective-C half of Realm's SDK.
public typealias RLMSortDescriptor = SortDescriptor
/// The name of ``ObjectId`` in the Objective-C half of Realm's SDK.
public typealias RLMObjectId = ObjectId
/// The name of ``Decimal128`` in the Objective-C half of Realm's SDK.
public typealias RLMDecimal128 = Decimal128
/// The name of ``AnyRealmValue`` in the Objective-C half of Realm's SDK.
public typealias RLMValue = AnyRealmValue

/// The schema version of a file that has no schema.
public let RLMNotVersioned = UInt64.max

/// Returns the path of a Realm file in the default folder.
///
/// - Parameter fileName: The name of the file, with its extension.
/// - Returns: The path of a file of that name in the folder of the default Realm; the file need not exist.
public func RLMRealmPathForFile(_ fileName: String) -> String {
    Realm.Configuration.defaultFileURL.deletingLastPathComponent().appendingPathComponent(fileName).path
}
