// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation

// The names that Swift code uses of the original's Objective-C half. They denote the Swift types: there is no other
// half.

public typealias RLMObject = Object
public typealias RLMEmbeddedObject = EmbeddedObject
public typealias RLMRealm = Realm
public typealias RLMRealmConfiguration = Realm.Configuration
public typealias RLMNotification = Realm.Notification
public typealias RLMResults<Element: RealmCollectionValue> = Results<Element>
public typealias RLMLinkingObjects<Element: ObjectBase & RealmCollectionValue> = LinkingObjects<Element>
public typealias RLMArray<Element: RealmCollectionValue> = List<Element>
public typealias RLMSet<Element: RealmCollectionValue> = MutableSet<Element>
public typealias RLMDictionary<Key: _MapKey, Value: RealmCollectionValue> = Map<Key, Value>
public typealias RLMSchema = Schema
public typealias RLMObjectSchema = ObjectSchema
public typealias RLMProperty = Property
public typealias RLMPropertyType = PropertyType
public typealias RLMPropertyChange = PropertyChange
public typealias RLMSortDescriptor = SortDescriptor
public typealias RLMObjectId = ObjectId
public typealias RLMDecimal128 = Decimal128
public typealias RLMValue = AnyRealmValue

/// The path of a Realm's file in the default folder.
///
/// - Parameter fileName: The name of the file, with its extension.
/// - Returns: The path of a file of that name beside the default Realm, which need not exist.
public func RLMRealmPathForFile(_ fileName: String) -> String {
    Realm.Configuration.defaultFileURL.deletingLastPathComponent().appendingPathComponent(fileName).path
}
