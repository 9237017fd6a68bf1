// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension Schema {
    private struct Default {
        var imageCount = 0
        var knownCount = 0
        var schema: Schema?
    }

    private static let cachedDefault = Locked(Default())

    /// The schema of a Realm that was opened without `objectTypes`: every class of the loaded images that wants to be
    /// in it and has a property, and every other class that was used before.
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
        for info in found.map(ClassRegistry.shared.info) + registered where !info.allProperties.isEmpty {
            infos[ObjectIdentifier(info)] = info
        }
        let schema = Schema(verifying: Array(infos.values))
        cachedDefault.withLock {
            $0 = Default(imageCount: imageCount, knownCount: ClassRegistry.shared.known.count, schema: schema)
        }
        return schema
    }

    /// The schemas of lists of classes: Realms are opened with the same few lists again and again.
    private static let known = Locked<[[ObjectIdentifier]: Schema]>([:])
    private static let mostKnown = 64

    /// The schema of a Realm that was opened with `objectTypes`.
    package init(objectTypes: [ObjectBase.Type]) {
        let list = objectTypes.map { ObjectIdentifier($0) }
        if let known = Schema.known.withLock({ $0[list] }) {
            self = known
            return
        }
        self.init(distinct: objectTypes)
        let schema = self
        Schema.known.withLock { known in
            if known.count >= Schema.mostKnown { known.removeAll() }
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

    /// Refuses two classes of one name, and links to classes outside `classes`.
    private init(verifying classes: [ClassInfo]) {
        self.init(classes)
        for (first, second) in zip(self.classes, self.classes.dropFirst()) where first.name == second.name {
            throwRealmException(
                """
                RLMObject subclasses with the same name cannot be included twice in the same target. Please make sure \
                '\(first.name)' is only linked once to your current target.
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
    func throwNoProperties() -> Never {
        throwRealmException(
            """
            No properties are defined for '\(name)'. Did you remember to mark them with '@objc' or '@Persisted' in \
            your model?
            """)
    }
}
