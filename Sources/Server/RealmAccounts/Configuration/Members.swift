// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmSyncCore

    /// Rejects an object with other members than the known ones.
    package struct Members {
        private let json: JSON
        private let place: String

        package init(_ json: JSON, _ place: String, known: Set<String>) throws {
            guard let members = json.members else { throw ConfigurationError("\(place) isn't an object") }
            if let unknown = members.first(where: { !known.contains($0.name) }) {
                let known = known.sorted().map { "'\($0)'" }.joined(separator: ", ")
                throw ConfigurationError("\(place) has no member '\(unknown.name)', only \(known)")
            }
            (self.json, self.place) = (json, place)
        }

        package subscript(name: String) -> JSON? { json[name].flatMap { $0.isNull ? nil : $0 } }

        package func text(_ name: String) throws -> String? { try read(name, "a text") { $0.text } }
        package func bool(_ name: String) throws -> Bool? { try read(name, "true or false") { $0.bool } }
        package func number(_ name: String) throws -> Int64? {
            try read(name, "a whole number above 0") {
                $0.integer(Int64.self).flatMap { (1..<1 << 40).contains($0) ? $0 : nil }
            }
        }
        package func texts(_ name: String) throws -> [String]? {
            try read(name, "an array of texts") { json in
                json.elements.flatMap { elements in
                    let texts = elements.compactMap(\.text)
                    return texts.count == elements.count ? texts : nil
                }
            }
        }

        private func read<Value>(_ name: String, _ kind: String, _ value: (JSON) -> Value?) throws -> Value? {
            guard let json = self[name] else { return nil }
            guard let value = value(json) else { throw ConfigurationError("\(place): '\(name)' is not \(kind)") }
            return value
        }
    }
#endif
