// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension OrderWorkloads {
    static let string = sorted("string", by: "name") {
        number($0.name)
    } grdb: {
        number($0)
    }

    @Sendable private static func number(_ name: String) -> Int { Int(name.dropFirst(7)) ?? 0 }
}
