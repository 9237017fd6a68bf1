// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension Schema {
    /// Returns the problems with asymmetric classes that prevent this schema from being used, one line each.
    func asymmetricErrors(in configuration: Realm.Configuration) -> [String] {
        let names = Set(classes.filter(\.isAsymmetric).map(\.name))
        guard !names.isEmpty else { return [] }
        let embedded = Set(classes.filter(\.isEmbedded).map(\.name))
        let realm = configuration.isSynchronised ? "partition based sync" : "a local Realm"
        var errors =
            configuration.hasAsymmetricClasses
            ? [] : names.sorted().map { "Asymmetric table '\($0)' not allowed in \(realm)" }
        for info in classes {
            for property in info.allProperties {
                guard let target = property.objectClassName else { continue }
                let place = "Property '\(info.name).\(property.name)' of type '\(property.typeName)'"
                if names.contains(target) {
                    errors.append("\(place) cannot be a link to an asymmetric object.")
                } else if info.isAsymmetric, !embedded.contains(target) {
                    errors.append("\(place) cannot be a link to a top-level object: '\(info.name)' is asymmetric.")
                }
            }
        }
        return errors
    }

    /// The schema without the asymmetric classes, except for those that others link to, which is an error to report.
    var withoutAsymmetricClasses: Schema {
        guard classes.contains(where: \.isAsymmetric) else { return self }
        let linked = Set(classes.flatMap { $0.allProperties.compactMap(\.objectClassName) })
        return Schema(classes.filter { !$0.isAsymmetric || linked.contains($0.name) })
    }
}
