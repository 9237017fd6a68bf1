// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension OpenWorkloads {
    static let manyClasses = workload(WideBed.self, "open_200_classes")
}
