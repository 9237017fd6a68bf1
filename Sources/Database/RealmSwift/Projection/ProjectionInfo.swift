// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime

/// The metadata of a projection class: its properties in the order of their declaration, those of superclasses first.
///
/// Unchecked: key paths aren't marked `Sendable`, but they and everything else here are immutable.
final class ProjectionInfo: @unchecked Sendable {
    struct Property {
        let name: String
        let keyPath: AnyKeyPath
        /// The names of the stored properties at the beginning of the key path, separated by dots.
        let origin: String
        fileprivate let links: [PropertyInfo]

        /// Returns nil if a link is nil. The key path isn't applied then, because it may unwrap the link
        /// (`\Person.address!.city`).
        func value(of root: ObjectBase) -> Any? {
            var object = root
            for link in links {
                guard let next = flattened(object.dynamicValue(of: link)) as? ObjectBase else { return nil }
                object = next
            }
            return flattened(root[keyPath: keyPath])
        }

        /// Returns the text that Swift prints: `Optional("…")` or `nil` for an optional.
        func printedValue(of root: ObjectBase) -> String {
            let value = value(of: root)
            if let value, !(type(of: keyPath).valueType is any OptionalProtocol.Type) { return "\(value)" }
            return String(describing: value)
        }
    }

    let properties: [Property]

    private static let known = Locked<[ObjectIdentifier: ProjectionInfo]>([:])

    /// Created from the first projection of each class, because its wrappers contain the key paths.
    static func of(_ projection: AnyObject) -> ProjectionInfo {
        let identifier = ObjectIdentifier(type(of: projection))
        if let info = known.withLock({ $0[identifier] }) { return info }
        let info = ProjectionInfo(projection)
        known.withLock { $0[identifier] = info }
        return info
    }

    private init(_ projection: AnyObject) {
        var properties: [Property] = []
        let start = unsafe Unmanaged.passUnretained(projection).toOpaque()
        unsafe StoredProperties.forEach(of: type(of: projection)) { name, offset, type in
            guard let wrapper = type as? any ProjectedField.Type else { return }
            let keyPath = unsafe wrapper.keyPath(at: start + offset)
            let beginning = PropertyProbe.beginning(of: keyPath)
            // The compiler stores the wrapper of `age` as `_age`.
            let property = unsafe Property(
                name: String(cString: name + 1), keyPath: keyPath,
                origin: beginning.map(\.name).joined(separator: "."),
                links: Array(beginning.dropLast().prefix(while: \.isLink)))
            properties.append(property)
        }
        self.properties = properties
    }

    func verify() {
        guard let property = properties.first(where: \.origin.isEmpty) else { return }
        throwRealmException("@Projected property '\(property.name)' must be a part of Realm object")
    }
}
