// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore
import RealmTestSupport
import SyncTestSupport

enum Measurements {
    static func run() throws {
        try codec()
        try merges()
    }

    private static func best(_ body: () throws -> Void) rethrows -> Double {
        let clock = ContinuousClock()
        var best = Double.infinity
        for _ in 0..<7 {
            let time = try clock.measure(body)
            best = min(best, Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18)
        }
        return best
    }

    /// Changesets as clients write them: 20 objects of three properties each.
    private static func codec() throws {
        let table: Text = "Person"
        let changesets = (0..<2000).map { number in
            Changeset(
                (0..<20).flatMap { index -> [Instruction] in
                    let object = ObjectReference(table, .int(Int64(number * 20 + index)))
                    func update(_ column: Text, _ value: SyncValue) -> Instruction {
                        .change(Place(object, column), .update(value, isDefault: false))
                    }
                    return [
                        .createObject(object), update("name", .string(Text("name of number \(index)"))),
                        update("age", .int(Int64(index))), update("score", .double(Double(index) / 3)),
                    ]
                })
        }
        let encoded = changesets.map { $0.encoded() }
        let size = Double(encoded.reduce(0) { $0 + $1.count })
        let encoding = best { for changeset in changesets { _ = changeset.encoded() } }
        let decoding = try best { for bytes in encoded { _ = try Changeset(decoding: bytes) } }
        let count = Double(changesets.count * 80)
        print("encode: \(rounded(size / encoding / 1e6)) MB/s, \(rounded(count / encoding / 1e6)) M instructions/s")
        print("decode: \(rounded(size / decoding / 1e6)) MB/s, \(rounded(count / decoding / 1e6)) M instructions/s")
    }

    /// Concurrent changes of two clients, integrated by a server: on other objects, and on one list.
    private static func merges() throws {
        for (name, isConflict) in [("of other objects", false), ("in one list", true)] {
            let count = 400
            let time = try best {
                var server = ServerHistory()
                for ident in [UInt64(2), 3] {
                    server.addFile(ident)
                    for number in 1...count {
                        let key = isConflict ? 1 : Int64(ident) * 100_000 + Int64(number)
                        let changeset =
                            isConflict
                            ? SimpleChanges.insert("x", at: 0, of: number - 1, in: key) : SimpleChanges.add(1, to: key)
                        let change = UploadedChange(
                            clientVersion: UInt64(number), serverVersion: 0,
                            order: ChangeOrder(timestamp: UInt64(number), fileIdent: ident), changeset: changeset)
                        _ = try server.integrate(change, from: ident)
                    }
                }
            }
            // Each change of the second client is merged with all of the first one's.
            let pairs = Double(count * count)
            print("merge \(name): \(rounded(pairs / time / 1e6)) M pairs of changesets/s")
        }
    }

    private static func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }
}
