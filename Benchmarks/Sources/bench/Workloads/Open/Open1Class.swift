// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension OpenWorkloads {
    static let oneClass = workload(OneClassBed.self, "open_1_class")
}
