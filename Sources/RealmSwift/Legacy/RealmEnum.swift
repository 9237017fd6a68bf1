// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The pre-10.10 protocol of enums in models, whose raw values are integers. Declare `enum Size: Int, RealmEnum` for
/// `RealmProperty<Size?>`, and `PersistableEnum` for everything else.
public protocol RealmEnum: RealmOptionalType, _RealmSchemaDiscoverable {}

extension RealmEnum where Self: RawRepresentable, RawValue: _ObjcBridgeable & _RealmSchemaDiscoverable {
    public static var _shape: _PropertyShape { RawValue._shape }

    /// Takes the raw value too.
    public static func _convert(_ value: Any?) -> Self? {
        if let value = value as? Self { return value }
        return RawValue._convert(value).flatMap(Self.init(rawValue:))
    }

    public var _rlmDynamicValue: Any? { rawValue._rlmDynamicValue }

    public var _rlmContent: _StoredContent { rawValue._rlmContent }

    /// A stored value that is no case is nil.
    public static func _make(_ stored: _StoredElement) -> Self? {
        RawValue._make(stored).flatMap(Self.init(rawValue:))
    }
}
