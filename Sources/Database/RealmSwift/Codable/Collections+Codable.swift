// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

// Collections of values that can be coded are arrays and dictionaries to every coder. What is decoded is unmanaged.

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
    /// Writes the elements as an array.
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
    /// Linking objects follow from other objects' links: whatever there is to read, the collection is empty.
    public init(from decoder: any Decoder) throws {
        self.init(fromType: Element.self, property: "")
    }
}

extension Map: Encodable where Key: Encodable, Value: Encodable {
    /// Writes the entries as a dictionary.
    public func encode(to encoder: Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(Dictionary(map { ($0.key, $0.value) }, uniquingKeysWith: { $1 }))
    }
}
