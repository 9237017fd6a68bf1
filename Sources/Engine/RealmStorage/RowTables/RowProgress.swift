// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

package struct UpgradeProgress: Sendable, Equatable {
    package let table: String
    package let rowsDone: Int
    package let rowCount: Int
}

/// Reports the number of converted rows. Columns are converted one after the other, so one converted column of ten
/// counts as a tenth of its rows.
final class RowProgress {
    private let report: (@Sendable (UpgradeProgress) -> Void)?
    private var table = ""
    private var rowCount = 0
    private var columnCount = 1
    private var values = 0
    private var reported = 0

    init(_ report: (@Sendable (UpgradeProgress) -> Void)?) { self.report = report }

    private static let distance = 1 << 16

    func begin(_ table: String, rowCount: Int, columnCount: Int) {
        self.table = table
        self.rowCount = rowCount
        self.columnCount = max(columnCount, 1)
        (values, reported) = (0, 0)
    }

    func advance(by count: Int) {
        values += count
        guard let report, values - reported >= RowProgress.distance else { return }
        reported = values
        report(UpgradeProgress(table: table, rowsDone: min(values / columnCount, rowCount), rowCount: rowCount))
    }

    func end() {
        report?(UpgradeProgress(table: table, rowsDone: rowCount, rowCount: rowCount))
    }
}
