// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmCheck
import RealmTestSupport
import Testing

@testable import RealmStorage

/// Changes to the reference's indexed tables, committed and audited.
struct IndexCommitTests {
    @Test(arguments: ["indexes", "fulltext", "primary-keys"]) func changedIndexesPassTheAudit(_ name: String) throws {
        let fixture = Fixtures.path("v24/\(name).realm")
        let seed = randomSeed("changedIndexesPassTheAudit(\(name))")
        var random = SplitMix(state: seed)
        let folder = try TemporaryFolder()
        let path = folder.path + "/changed.realm"
        // Copies the contents, since fixtures are write-protected.
        try Data(contentsOf: URL(fileURLWithPath: fixture)).write(to: URL(fileURLWithPath: path))
        let database = try Database.open(path)
        for round in 0..<4 {
            let transaction = try database.beginWrite()
            for key in try transaction.tableKeys() {
                for _ in 0..<60 { try IndexCommitTests.change(transaction, key, &random) }
            }
            _ = try transaction.commit()
            let report = FileChecker.check(bytes: Array(try Data(contentsOf: URL(fileURLWithPath: path))))
            #expect(report.violations == [], "seed \(seed) round \(round)")
        }
    }

    private static func change(
        _ transaction: WriteTransaction, _ key: TableKey, _ random: inout SplitMix
    ) throws {
        let table = try transaction.require(key)
        var objects: [ObjectKey] = []
        try table.clusters.forEachLeaf { leaf in
            objects += (0..<leaf.count).map { leaf.key(at: $0) }
            return true
        }
        let columns = table.publicColumns.filter { table.hasIndex($0.key) && $0.key != table.primaryKey }
        guard let object = objects.randomElement(using: &random), let other = objects.randomElement(using: &random)
        else { return }
        guard let column = columns.randomElement(using: &random), Int.random(in: 0..<6, using: &random) > 0 else {
            try transaction.removeObject(object, from: key)
            return
        }
        if column.key.isCollection {
            let words = try table.list(column.key, of: other).values()
            let count = try table.list(column.key, of: object).count
            if count > 0, Bool.random(using: &random) {
                let index = Int.random(in: 0..<count, using: &random)
                try transaction.list(column.key, of: object, in: key).erase(at: index)
            } else if let word = words.randomElement(using: &random) {
                try transaction.list(column.key, of: object, in: key).insert(word, at: 0)
            }
        } else {
            let value = try table.value(column.key, of: other)
            switch value {
            case .list, .dictionary: break
            default: try transaction.set(value, column.key, of: object, in: key)
            }
        }
    }
}
