// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Dispatch
import Foundation
import RealmQuery
import RealmStorage
import RealmSystem
import RealmTools

/// Handles the requests of one page, and sends events to it.
///
/// A request is `{"id": 1, "do": "rows", …}`. Its response has the same `id`, and `error` if it failed. Messages sent
/// without a request have an `event`.
final class StudioSession {
    private unowned let studio: StudioFile
    private let send: (String) -> Void
    private var view: ClassView?

    init(_ studio: StudioFile, _ send: @escaping (String) -> Void) {
        self.studio = studio
        self.send = send
    }

    func send(_ event: String, _ content: JSONText) {
        send(
            JSONText.object { json in
                json.member("event", event)
                json.member("content", content)
            })
    }

    func handle(_ text: String) {
        let start = DispatchTime.now().uptimeNanoseconds
        var (json, id) = (JSONText(), Int64(0))
        do {
            let fields = try RequestFields(text)
            id = try fields.number("id")
            json.raw("{")
            try answer(try fields.text("do"), fields, &json)
        } catch {
            json = JSONText()
            json.raw("{")
            json.failure(error)
        }
        json.member("id", id)
        json.member("microseconds", (DispatchTime.now().uptimeNanoseconds - start) / 1000)
        json.raw("}")
        send(json)
    }

    private func send(_ json: JSONText) { send(String(decoding: json.bytes, as: UTF8.self)) }

    // MARK: Requests

    private enum Request: Sendable {
        case session(@Sendable (StudioSession, RequestFields, inout JSONText) throws -> Void)
        case reading(@Sendable (StudioSession, FollowedFile, RequestFields, inout JSONText) throws -> Void)
        case change(@Sendable (FileEditor, RequestFields, inout JSONText) throws -> Void)
    }

    private func answer(_ name: String, _ fields: RequestFields, _ json: inout JSONText) throws {
        switch Self.requests[name] {
        case .session(let body): try body(self, fields, &json)
        case .reading(let body): try body(self, try studio.opened, fields, &json)
        case .change(let body):
            let file = try studio.opened
            guard studio.canWrite else { throw StudioError.readOnly }
            try body(FileEditor(file: file, undoStack: studio.undoStack), fields, &json)
            describeUndo(&json)
            studio.refresh()
        case nil: throw StudioError("there is no request '\(name)'")
        }
    }

    private static let requests: [String: Request] = [
        "file": .session { session, _, json in try session.describe(&json) },
        "open": .session { session, fields, json in
            try session.studio.open(typed: (try fields.text("path") as NSString).expandingTildeInPath)
            try session.describe(&json)
        },
        "unlock": .session { session, fields, json in
            try session.studio.unlock(try fields.text("key"))
            try session.describe(&json)
        },
        "view": .reading { session, file, fields, json in
            session.view = nil
            session.view = try ClassView(fields, in: file)
            try session.shown { try $0.write(from: 0, count: try fields.size("count"), in: file, &json) }
        },
        "rows": .reading { session, file, fields, json in
            let (start, count) = (try fields.size("from"), try fields.size("count"))
            try session.shown { try $0.write(from: start, count: count, in: file, &json) }
        },
        "keys": .reading { session, file, fields, json in
            let (start, count) = (try fields.size("from"), try fields.size("count"))
            try session.shown { try $0.writeKeys(from: start, count: count, in: file, &json) }
        },
        "index": .reading { session, file, fields, json in
            try session.view?.refresh(in: file)
            json.member("index", try session.view?.index(of: try fields.object, in: file))
        },
        "object": .reading { _, file, fields, json in
            try ObjectDetail(file: file, table: try file.table(try fields.table), key: try fields.object).write(&json)
        },
        "json": .reading { _, file, fields, json in
            let table = try file.table(try fields.table)
            json.member("text", try ObjectDetail.json(of: try fields.objects, table, in: file))
        },
        "pick": .reading { _, file, fields, json in
            let picker = LinkPicker(file: file, table: try file.table(named: try fields.text("class")))
            try picker.write(fields.optionalText("text") ?? "", &json)
        },
        "find": .reading { _, file, fields, json in
            let table = try file.table(named: try fields.text("class"))
            json.member("table", table.key.rawValue)
            let object = try LinkPicker(file: file, table: table).object(named: fields["name"] ?? .null)
            json.member("object", object.rawValue)
        },
        "explain": .reading { _, file, fields, json in
            let statement = try QueryStatement(parsing: fields.optionalText("query") ?? "")
            let plan = try CompiledStatement(statement, on: try fields.table, in: file.snapshot)
                .explain(in: file.snapshot)
            json.member("found", plan.keys.count)
            json.member("steps", plan.steps) { write($1, &$0) }
        },
        "group": .reading { _, file, fields, json in try Grouping.write(fields, in: file, &json) },
        "distribution": .reading { _, file, fields, json in
            let table = try file.table(try fields.table)
            guard let column = table.column(named: try fields.text("property")) else {
                throw StudioError("the property no longer exists")
            }
            try Distribution(column, of: table).write(&json)
        },
        "stats": .reading { _, file, _, json in
            let statistics = try SpaceStatistics(file.snapshot, path: file.path, byteCount: try file.byteCount)
            json.member("stats", statistics.json)
        },
        "pins": .reading { _, file, _, json in
            let pins = PinList(pins: try file.database.pins(), newest: file.snapshot.version, now: CurrentProcess.time)
            json.member("pins", pins.json)
        },
        "feed": .reading { session, _, _, json in
            json.member("changes", session.studio.feed.changes) { $0.raw($1.json) }
        },
        "set": .change { editor, fields, _ in
            try editor.set(try fields.object("values"), of: try fields.object, in: try fields.table)
        },
        "create": .change { editor, fields, json in
            json.member("object", try editor.create(try fields.object("values"), in: try fields.table).rawValue)
        },
        "duplicate": .change { editor, fields, json in
            json.member("objects", try editor.duplicate(try fields.objects, in: try fields.table)) {
                $0.integer($1.rawValue)
            }
        },
        "delete": .change { editor, fields, _ in try editor.delete(try fields.objects, from: try fields.table) },
        "undo": .change { editor, _, json in json.member("title", try editor.undo()) },
        "redo": .change { editor, _, json in json.member("title", try editor.redo()) },
    ]

    private func shown(_ body: (inout ClassView) throws -> Void) throws {
        guard view != nil else { throw StudioError("no class is shown") }
        try body(&view!)
    }

    private func describe(_ json: inout JSONText) throws {
        json.member("path", studio.path)
        json.member("writable", studio.canWrite)
        guard studio.isOpen else {
            json.member("refusal", studio.refusal?.message)
            json.member("needsKey", studio.refusal?.needsKey ?? false)
            json.member("asksForPath", studio.asksForPath)
            return
        }
        let file = try studio.opened
        json.member("version", file.snapshot.version)
        json.member("bytes", try file.byteCount)
        describeUndo(&json)
        try file.writeClasses(&json)
    }

    private func describeUndo(_ json: inout JSONText) {
        json.member("undo", studio.undoStack.canUndo)
        json.member("redo", studio.undoStack.canRedo)
    }

    private static func write(_ step: PlanStep, _ json: inout JSONText) {
        json.raw("{")
        json.member("text", step.text)
        json.member("estimated", step.estimated)
        json.member("actual", step.actual)
        json.member("parts", step.parts) { write($1, &$0) }
        json.raw("}")
    }
}
