// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime

extension Schema {
    private struct Default {
        var imageCount = 0
        var knownCount = 0
        var schema: Schema?
    }

    private static let cachedDefault = Locked(Default())

    /// Returns the schema of a Realm without `objectTypes`: every class of the loaded images that opts in and has a
    /// property, and every other class that was used before.
    package static func defaultSchema() -> Schema {
        let imageCount = ObjectClasses.imageCount
        let known = cachedDefault.withLock { $0 }
        if let schema = known.schema, known.imageCount == imageCount,
            known.knownCount == ClassRegistry.shared.known.count
        {
            return schema
        }
        let found = ObjectClasses.all().filter { $0.shouldIncludeInDefaultSchema() }
        let registered = ClassRegistry.shared.known.filter { $0.objectClass.shouldIncludeInDefaultSchema() }
        var infos: [ObjectIdentifier: ClassInfo] = [:]
        for info in found.map(ClassRegistry.shared.info) + registered {
            if info.allProperties.isEmpty { info.warnOfLeavingOut() } else { infos[ObjectIdentifier(info)] = info }
        }
        let schema = Schema(verifying: Array(infos.values))
        cachedDefault.withLock {
            $0 = Default(imageCount: imageCount, knownCount: ClassRegistry.shared.known.count, schema: schema)
        }
        return schema
    }

    /// Schemas by the lists of their classes: Realms are often opened with the same few lists.
    private static let known = Locked<[[ObjectIdentifier]: Schema]>([:])
    private static let maxKnown = 64

    package init(objectTypes: [ObjectBase.Type]) {
        let list = objectTypes.map { ObjectIdentifier($0) }
        if let known = Schema.known.withLock({ $0[list] }) {
            self = known
            return
        }
        self.init(distinct: objectTypes)
        let schema = self
        Schema.known.withLock { known in
            if known.count >= Schema.maxKnown { known.removeAll() }
            known[list] = schema
        }
    }

    private init(distinct objectTypes: [ObjectBase.Type]) {
        var seen: Set<ObjectIdentifier> = []
        let infos = objectTypes.filter { seen.insert(ObjectIdentifier($0)).inserted }.map { type in
            let info = ClassRegistry.shared.info(for: type)
            if info.allProperties.isEmpty { info.throwNoProperties() }
            return info
        }
        self.init(verifying: infos)
    }

    /// Traps if two classes have the same name, unless they share a table, and for links to classes that aren't in
    /// `classes`.
    private init(verifying classes: [ClassInfo]) {
        self.init(classes)
        for (first, second) in zip(self.classes, self.classes.dropFirst()) where first.name == second.name {
            if first.canShareTable(with: second) { continue }
            throwRealmException(
                """
                RLMObject subclasses with the same name cannot be included twice in the same target. Please make sure \
                '\(first.name)' is only linked once to your current target. Two nested classes of one name need \
                different names in the file: override `_realmObjectName()` in one of them.
                """)
        }
        let names = Set(self.classes.map(\.name))
        let missing = self.classes.flatMap { info in
            info.allProperties.compactMap { property -> String? in
                guard let target = property.objectClassName, !names.contains(target) else { return nil }
                return """
                    - '\(info.name).\(property.name)' links to class '\(target)', which is missing from the list of \
                    classes managed by the Realm
                    """
            }
        }
        if !missing.isEmpty { throwRealmException("Invalid class subset list:\n" + missing.joined(separator: "\n")) }
        isSound = validationErrors().isEmpty
    }
}

extension ClassInfo {
    /// Whether both are different classes that store the same columns (row S3).
    fileprivate func canShareTable(with other: ClassInfo) -> Bool {
        guard swiftName != other.swiftName, kind == other.kind, properties.count == other.properties.count,
            primaryKey?.columnName == other.primaryKey?.columnName
        else { return false }
        return properties.allSatisfy { property in
            other.properties.contains {
                $0.columnName == property.columnName && $0.shape.type == property.shape.type
                    && $0.shape.collection == property.shape.collection && $0.isIndexed == property.isIndexed
                    && $0.shape.isOptional == property.shape.isOptional && $0.isFullText == property.isFullText
                    && $0.objectClassName == property.objectClassName
            }
        }
    }

    private static let leftOut = Locked<Set<String>>([])

    /// Logs once that a `Decodable` class is omitted from schemas because it has no stored properties: the attributes
    /// are probably missing (row A9). Other classes without properties may be intentional.
    fileprivate func warnOfLeavingOut() {
        guard objectClass is any Decodable.Type, ClassInfo.leftOut.withLock({ $0.insert(name).inserted }) else {
            return
        }
        Logger.shared.log(
            .warn,
            """
            Class '\(name)' is omitted from the schema, because it has no properties. Did you remember to mark them \
            with '@Persisted'?
            """)
    }

    func throwNoProperties() -> Never {
        throwRealmException(
            """
            No properties are defined for '\(name)'. Did you remember to mark them with '@objc' or '@Persisted' in \
            your model?
            """)
    }
}
