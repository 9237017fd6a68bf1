// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

// Collections of codable values are encoded as arrays and dictionaries. Decoded collections are unmanaged.

extension List: Decodable where Element: Decodable {
    public convenience init(from decoder: Decoder) throws {
        self.init()
        var container = try decoder.unkeyedContainer()
        while !container.isAtEnd { append(try container.decode(Element.self)) }
    }
}

extension MutableSet: Decodable where Element: Decodable {
    public convenience init(from decoder: Decoder) throws {
        self.init()
        var container = try decoder.unkeyedContainer()
        while !container.isAtEnd { insert(try container.decode(Element.self)) }
    }
}

extension Map: Decodable where Key: Decodable, Value: Decodable {
    public convenience init(from decoder: Decoder) throws {
        self.init()
        let entries = try decoder.singleValueContainer().decode([Key: Value].self)
        for (key, value) in entries { updateValue(value, forKey: key) }
    }
}

extension RealmCollection where Element: Encodable {
    /// Encodes the elements as an array.
    public func encode(to encoder: Encoder) throws {
        var container = encoder.unkeyedContainer()
        for element in self { try container.encode(element) }
    }
}

extension List: Encodable where Element: Encodable {}
extension MutableSet: Encodable where Element: Encodable {}
extension Results: Encodable where Element: Encodable {}
extension AnyRealmCollection: Encodable where Element: Encodable {}
extension LinkingObjects: Encodable where Element: Encodable {}

extension LinkingObjects: Decodable where Element: Decodable {
    /// Creates an empty collection, whatever the decoder contains: linking objects are derived from other objects'
    /// links.
    public init(from decoder: any Decoder) throws {
        self.init(fromType: Element.self, property: "")
    }
}

extension Map: Encodable where Key: Encodable, Value: Encodable {
    /// Encodes the entries as a dictionary.
    public func encode(to encoder: Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(Dictionary(map { ($0.key, $0.value) }, uniquingKeysWith: { $1 }))
    }
}
