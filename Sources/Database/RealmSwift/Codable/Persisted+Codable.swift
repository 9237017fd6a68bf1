// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

// With these, the compiler makes `init(from:)` and `encode(to:)` of a class that is declared `Codable`. Its coding keys
// are the names of the properties.

extension Persisted: Decodable where Value: Decodable {
    /// Reads the value of a property.
    public init(from decoder: any Decoder) throws {
        // Not as an optional: a null where there must be a value is the decoder's error.
        self.init(wrappedValue: try decoder.singleValueContainer().decode(Value.self))
    }
}

extension Persisted: Encodable where Value: Encodable {
    /// Writes the value of a property of an unmanaged object. For one that a Realm manages it throws: it cannot reach
    /// the row from here, and such classes have to declare `encode(to:)` themselves.
    ///
    /// A property that has no value yet, because it was declared without one and never read, is written as the default
    /// of its type.
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

/// A property wrapper whose value may be nil, which stands for a missing key when it is decoded.
public protocol OptionalCodingWrapper {
    /// What is wrapped.
    associatedtype WrappedType: ExpressibleByNilLiteral

    /// Makes a wrapper around a value.
    init(wrappedValue: WrappedType)
}

extension Persisted: OptionalCodingWrapper where Value: ExpressibleByNilLiteral {}

extension KeyedDecodingContainer {
    /// Reads an optional property: nil where the key is missing or its value is null.
    public func decode<T>(_ type: T.Type, forKey key: Key) throws -> T where T: Decodable, T: OptionalCodingWrapper {
        try decodeIfPresent(type, forKey: key) ?? T(wrappedValue: nil)
    }

    /// Reads a property that may be nil: nil where the key is missing or its value is null. This and the following do
    /// what `Persisted.init(from:)` does, with no decoder for each value.
    public func decode<Value: Decodable & ExpressibleByNilLiteral>(
        _ type: Persisted<Value>.Type, forKey key: Key
    ) throws -> Persisted<Value> {
        Persisted(wrappedValue: try decodeIfPresent(Value.self, forKey: key) ?? nil)
    }

    /// Reads a whole number.
    public func decode(_ type: Persisted<Int>.Type, forKey key: Key) throws -> Persisted<Int> {
        Persisted(wrappedValue: try decode(Int.self, forKey: key))
    }

    /// Reads a text.
    public func decode(_ type: Persisted<String>.Type, forKey key: Key) throws -> Persisted<String> {
        Persisted(wrappedValue: try decode(String.self, forKey: key))
    }

    /// Reads a number.
    public func decode(_ type: Persisted<Double>.Type, forKey key: Key) throws -> Persisted<Double> {
        Persisted(wrappedValue: try decode(Double.self, forKey: key))
    }

    /// Reads true or false.
    public func decode(_ type: Persisted<Bool>.Type, forKey key: Key) throws -> Persisted<Bool> {
        Persisted(wrappedValue: try decode(Bool.self, forKey: key))
    }

    /// Linking objects follow from other objects' links: nothing is read, and the property is empty.
    public func decode<Element>(
        _ type: Persisted<LinkingObjects<Element>>.Type, forKey key: Key
    ) throws -> Persisted<LinkingObjects<Element>> {
        Persisted(originProperty: "")
    }
}
