// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension Schema {
    /// Returns the problems that prevent the use of this schema, one per line; empty if valid (model 1, realm 5).
    package func validationErrors() -> [String] {
        classes.flatMap { nameErrors(of: $0) + originErrors(of: $0) + embeddedErrors(of: $0) } + embeddedCycleErrors()
    }

    private func info(named name: String) -> ClassInfo? {
        classes.first { $0.name == name }
    }

    private func nameErrors(of info: ClassInfo) -> [String] {
        var errors: [String] = []
        if info.name.utf8.count > 57 {
            errors.append("Class name '\(info.name)' is too long: at most 57 bytes of UTF-8 are possible.")
        }
        for property in info.properties where property.columnName.utf8.count > 63 || property.name.utf8.count > 63 {
            errors.append(
                "Property name '\(info.name).\(property.name)' is too long: at most 63 bytes of UTF-8 are possible.")
        }
        var seen: Set<String> = []
        for property in info.properties where property.columnName != property.name {
            if !seen.insert(property.columnName).inserted {
                errors.append(
                    "Alias '\(property.columnName)' appears more than once in the schema for type '\(info.name)'.")
            }
            if info.property(named: property.columnName) != nil {
                errors.append(
                    """
                    Property '\(info.name).\(property.name)' has an alias '\(property.columnName)' that conflicts with \
                    a property of the same name.
                    """)
            }
        }
        return errors
    }

    private func originErrors(of info: ClassInfo) -> [String] {
        info.computedProperties.compactMap { property in
            guard let className = property.objectClassName, let name = property.originProperty else { return nil }
            let origin = property.target(in: classes)?.property(named: name)
            let subject =
                "Property '\(className).\(name)' declared as origin of linking objects property "
                + "'\(info.name).\(property.name)'"
            guard let origin, !origin.isComputed else { return subject + " does not exist" }
            guard origin.shape.type == .object else { return subject + " is not a link" }
            guard origin.objectClassName == info.name else {
                return subject + " links to type '\(origin.objectClassName ?? "")'"
            }
            return nil
        }
    }

    private func embeddedErrors(of info: ClassInfo) -> [String] {
        var errors =
            info.isEmbedded && info.primaryKey != nil
            ? ["Embedded object type '\(info.name)' cannot have a primary key."] : []
        for property in info.properties where property.shape.collection == .set {
            guard let target = property.objectClassName, self.info(named: target)?.isEmbedded == true else { continue }
            errors.append(
                """
                Set property '\(info.name).\(property.name)' cannot contain embedded object type '\(target)'. Set \
                semantics are not applicable to embedded objects.
                """)
        }
        return errors
    }

    /// Embedded classes that can contain themselves would be nested without limit.
    private func embeddedCycleErrors() -> [String] {
        classes.filter(\.isEmbedded).compactMap { start in
            var visited: Set<String> = []
            return embeddedPath(from: start, to: start, visited: &visited, text: start.name)
                .map { "Cycles containing embedded objects are not currently supported: '\($0)'" }
        }
    }

    private func embeddedPath(
        from info: ClassInfo, to goal: ClassInfo, visited: inout Set<String>, text: String
    ) -> String? {
        for property in info.properties {
            guard let name = property.objectClassName, let target = self.info(named: name), target.isEmbedded else {
                continue
            }
            let text = text + "." + property.name
            if target === goal { return text }
            guard visited.insert(name).inserted else { continue }
            if let path = embeddedPath(from: target, to: goal, visited: &visited, text: text) { return path }
        }
        return nil
    }
}
