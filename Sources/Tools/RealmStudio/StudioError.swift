// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmQuery
import RealmTools
import RealmValues

struct StudioError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }

    init(_ conflict: UndoConflict) {
        let names = conflict.conflicts.prefix(3).map { StudioError.name($0) }.joined(separator: ", ")
        self.init("another program has changed the same object since; nothing was done: \(names)")
    }

    private static func name(_ conflict: UndoConflict.Conflict) -> String {
        guard let table = try? conflict.version.table(conflict.table) else { return "\(conflict.table)" }
        let object = (try? ObjectLabel.text(conflict.object, table)) ?? "#\(conflict.object.rawValue)"
        let property = conflict.column.flatMap { table.column($0)?.name }.map { "." + $0 } ?? ""
        return "\(table.className ?? table.name) \(object)\(property)"
    }

    static let readOnly = StudioError("the file is open for reading; start 'realm studio' with --write")
}

extension JSONText {
    mutating func failure(_ error: any Error) {
        member("error", JSONText.message(error))
        if let error = error as? PredicateError, let position = error.position { member("position", position) }
    }

    private static func message(_ error: any Error) -> String {
        guard let mismatch = error as? ValueParser.Mismatch else { return "\(error)" }
        // The rest of the message is about options of 'realm import'.
        return String(mismatch.message.prefix { $0 != ";" })
    }
}
