// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

// With these, the compiler synthesizes `init(from:)` and `encode(to:)` of a class that is declared `Codable`. Its
// coding keys are the names of the properties.

extension Persisted: Decodable where Value: Decodable {
    /// Decodes the value of a property.
    public init(from decoder: any Decoder) throws {
        // Not decoded as an optional: null for a required value is an error of the decoder.
        self.init(wrappedValue: try decoder.singleValueContainer().decode(Value.self))
    }
}

extension Persisted: Encodable where Value: Encodable {
    /// Encodes the value of a property of an unmanaged object. A class whose managed objects are encoded must declare
    /// `encode(to:)` itself.
    ///
    /// A property that was declared without a value and never read is encoded as the default of its type.
    ///
    /// - Throws: `EncodingError` if the object is managed.
    public func encode(to encoder: any Encoder) throws {
        guard key == .unmanaged else {
            throw EncodingError.invalidValue(
                self,
                EncodingError.Context(
                    codingPath: encoder.codingPath,
                    debugDescription: """
                        Only unmanaged Realm objects can be encoded using automatic Codable synthesis. You must \
                        explicitly define encode(to:) on your model class to support managed Realm objects.
                        """))
        }
        var container = encoder.singleValueContainer()
        try container.encode(value ?? Value._makeDefault())
    }
}

/// A property wrapper whose value may be nil. A missing key is decoded as nil.
public protocol OptionalCodingWrapper {
    /// The type of the wrapped value.
    associatedtype WrappedType: ExpressibleByNilLiteral

    /// Creates a wrapper around a value.
    init(wrappedValue: WrappedType)
}

extension Persisted: OptionalCodingWrapper where Value: ExpressibleByNilLiteral {}

extension KeyedDecodingContainer {
    /// Decodes an optional property: nil if the key is missing or its value is null.
    public func decode<T>(_ type: T.Type, forKey key: Key) throws -> T where T: Decodable, T: OptionalCodingWrapper {
        try decodeIfPresent(type, forKey: key) ?? T(wrappedValue: nil)
    }

    /// Decodes a property that may be nil: nil if the key is missing or its value is null. This and the following
    /// functions are equivalent to `Persisted.init(from:)`, but don't create a decoder for each value.
    public func decode<Value: Decodable & ExpressibleByNilLiteral>(
        _ type: Persisted<Value>.Type, forKey key: Key
    ) throws -> Persisted<Value> {
        Persisted(wrappedValue: try decodeIfPresent(Value.self, forKey: key) ?? nil)
    }

    /// Decodes an integer property.
    public func decode(_ type: Persisted<Int>.Type, forKey key: Key) throws -> Persisted<Int> {
        Persisted(wrappedValue: try decode(Int.self, forKey: key))
    }

    /// Decodes a string property.
    public func decode(_ type: Persisted<String>.Type, forKey key: Key) throws -> Persisted<String> {
        Persisted(wrappedValue: try decode(String.self, forKey: key))
    }

    /// Decodes a floating-point property.
    public func decode(_ type: Persisted<Double>.Type, forKey key: Key) throws -> Persisted<Double> {
        Persisted(wrappedValue: try decode(Double.self, forKey: key))
    }

    /// Decodes a Boolean property.
    public func decode(_ type: Persisted<Bool>.Type, forKey key: Key) throws -> Persisted<Bool> {
        Persisted(wrappedValue: try decode(Bool.self, forKey: key))
    }

    /// Returns an empty property without decoding anything: linking objects are derived from the links of other
    /// objects.
    public func decode<Element>(
        _ type: Persisted<LinkingObjects<Element>>.Type, forKey key: Key
    ) throws -> Persisted<LinkingObjects<Element>> {
        Persisted(originProperty: "")
    }
}
