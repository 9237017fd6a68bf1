// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Dispatch
import Foundation
import RealmQuery
import RealmStorage
import RealmSystem
import RealmTools

/// Handles the requests of one page, and sends events to it.
///
/// A request is `{"id": 1, "do": "rows", …}`; its response has the same `id`, and `error` if it failed. Messages sent
/// without a request have an `event`.
final class StudioSession {
    private unowned let studio: StudioFile
    private let send: (String) -> Void
    private var view: ClassView?

    init(_ studio: StudioFile, _ send: @escaping (String) -> Void) {
        self.studio = studio
        self.send = send
    }

    func tell(_ event: String, _ content: JSONText) {
        var json = JSONText()
        json.raw("{")
        json.member("event")
        json.string(event)
        json.member("content")
        json.raw(content)
        json.raw("}")
        send(json)
    }

    func take(_ text: String) {
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
        json.member("id")
        json.integer(id)
        json.member("microseconds")
        json.integer((DispatchTime.now().uptimeNanoseconds - start) / 1000)
        json.raw("}")
        send(json)
    }

    private func send(_ json: JSONText) { send(String(decoding: json.bytes, as: UTF8.self)) }

    // MARK: Requests

    private func answer(_ request: String, _ fields: RequestFields, _ json: inout JSONText) throws {
        switch request {
        case "file": try describe(&json)
        case "open":
            try studio.open(typed: (try fields.text("path") as NSString).expandingTildeInPath)
            try describe(&json)
        case "unlock":
            try studio.unlock(try fields.text("key"))
            try describe(&json)
        case "set", "create", "duplicate", "delete", "undo", "redo": try change(request, fields, &json)
        default: try look(request, fields, try studio.opened, &json)
        }
    }

    private func describe(_ json: inout JSONText) throws {
        json.member("path")
        json.string(studio.path)
        json.member("writable")
        json.bool(studio.canWrite)
        guard studio.isOpen else {
            json.member("refusal")
            json.string(studio.refusal?.message)
            json.member("needsKey")
            json.bool(studio.refusal?.needsKey ?? false)
            json.member("asksForPath")
            json.bool(studio.asksForPath)
            return
        }
        let file = try studio.opened
        json.member("version")
        json.integer(file.snapshot.version)
        json.member("bytes")
        json.integer(try file.byteCount)
        describeUndo(file, &json)
        try file.writeClasses(&json)
    }

    private func describeUndo(_ file: OpenedFile, _ json: inout JSONText) {
        json.member("undo")
        json.string(file.undo.canUndo)
        json.member("redo")
        json.string(file.undo.canRedo)
    }

    private func look(
        _ request: String, _ fields: RequestFields, _ file: OpenedFile, _ json: inout JSONText
    ) throws {
        switch request {
        case "view":
            view = nil
            view = try ClassView(fields, in: file)
            try view?.write(from: 0, count: try fields.size("count"), in: file, &json)
        case "rows":
            guard view != nil else { throw StudioError("no class is shown") }
            try view?.write(
                from: try fields.size("from"), count: try fields.size("count"),
                in: file, &json)
        case "keys":
            guard view != nil else { throw StudioError("no class is shown") }
            try view?.writeKeys(
                from: try fields.size("from"), count: try fields.size("count"),
                in: file, &json)
        case "index":
            try view?.refresh(in: file)
            json.member("index")
            json.integer(try view?.index(of: try fields.object, in: file))
        case "object":
            try ObjectDetail(file: file, table: try file.table(try fields.table), key: try fields.object).write(&json)
        case "json":
            json.member("text")
            json.string(try ObjectDetail.json(of: try fields.objects, try file.table(try fields.table), in: file))
        case "pick":
            let picker = LinkPicker(file: file, table: try file.table(named: try fields.text("class")))
            try picker.write(fields.optionalText("text") ?? "", &json)
        case "find":
            let table = try file.table(named: try fields.text("class"))
            json.member("table")
            json.integer(table.key.rawValue)
            json.member("object")
            json.integer(
                try LinkPicker(file: file, table: table).object(named: fields["name"] ?? .null).rawValue)
        default: try examine(request, fields, file, &json)
        }
    }

    private func examine(
        _ request: String, _ fields: RequestFields, _ file: OpenedFile, _ json: inout JSONText
    ) throws {
        switch request {
        case "explain":
            let statement = try QueryStatement(parsing: fields.optionalText("query") ?? "")
            let plan = try CompiledStatement(statement, on: try fields.table, in: file.snapshot)
                .explain(in: file.snapshot)
            json.member("found")
            json.integer(plan.keys.count)
            json.member("steps")
            json.array(plan.steps) { StudioSession.write($1, &$0) }
        case "group": try Grouping.write(fields, in: file, &json)
        case "distribution":
            let table = try file.table(try fields.table)
            guard let column = table.column(named: try fields.text("property")) else {
                throw StudioError("the property is gone")
            }
            try Distribution(column, of: table).write(&json)
        case "stats":
            json.member("stats")
            json.raw(try SpaceStatistics(file.snapshot, path: file.path, byteCount: try file.byteCount).json)
        case "pins":
            json.member("pins")
            json.raw(
                PinList(pins: try file.database.pins(), newest: file.snapshot.version, now: CurrentProcess.time).json)
        case "feed":
            json.member("changes")
            json.array(file.feed.changes) { $0.raw($1.json) }
        default: throw StudioError("there is no request '\(request)'")
        }
    }

    private static func write(_ step: PlanStep, _ json: inout JSONText) {
        json.raw("{")
        json.member("text")
        json.string(step.text)
        json.member("estimated")
        json.integer(step.estimated)
        json.member("actual")
        json.integer(step.actual)
        json.member("parts")
        json.array(step.parts) { write($1, &$0) }
        json.raw("}")
    }

    // MARK: Changes

    private func change(_ request: String, _ fields: RequestFields, _ json: inout JSONText) throws {
        let file = try studio.opened
        let editor = FileEditor(file: file)
        switch request {
        case "set": try editor.set(try fields.object("values"), of: try fields.object, in: try fields.table)
        case "create":
            json.member("object")
            json.integer(try editor.create(try fields.object("values"), in: try fields.table).rawValue)
        case "duplicate":
            json.member("objects")
            json.array(try editor.duplicate(try fields.objects, in: try fields.table)) { $0.integer($1.rawValue) }
        case "delete": try editor.delete(try fields.objects, from: try fields.table)
        case "undo":
            json.member("title")
            json.string(try editor.undo())
        default:
            json.member("title")
            json.string(try editor.redo())
        }
        describeUndo(file, &json)
        studio.refresh()
    }
}
