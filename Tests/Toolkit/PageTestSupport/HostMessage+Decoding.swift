// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

// On Apple's platforms, the package has no RegnumUI.
#if canImport(RegnumUI)
    import Foundation
    import RegnumUI

    // Decoding of host messages, as in a page.

    extension HostMessage {
        package static func decode(_ message: String) throws -> HostMessage? {
            let json = try JSONDecoder().decode(JSONValue.self, from: Data(message.utf8))
            switch json["t"]?.text {
            case "welcome":
                return .welcome(session: json["session"]?.text ?? "", resumes: json["resume"]?.bool ?? false)
            case "bye": return .bye(why: json["why"]?.text ?? "")
            case "b":
                let edits = (json["edits"]?.members ?? [:]).compactMap { name, value -> (ElementID, Int)? in
                    if let id = ElementID(name), let edit = value.int { (id, edit) } else { nil }
                }
                let operations = try (json["ops"]?.items ?? []).map { item -> RegnumUI.Operation in
                    guard let operation = RegnumUI.Operation(item) else {
                        throw RawError(description: "An unknown operation: \(item)")
                    }
                    return operation
                }
                return .batch(
                    Batch(
                        number: json["b"]?.int ?? 0, ack: json["ack"]?.int ?? 0,
                        edits: Dictionary(edits) { $1 }, operations: operations))
            default: return nil
            }
        }
    }

    extension RegnumUI.Operation {
        init?(_ json: JSONValue) {
            guard let items = json.items, let name = items.first?.text else { return nil }
            if name == "reset" {
                self = .reset
                return
            }
            if name == "open", items.count == 2, let address = items[1].text {
                self = .open(address)
                return
            }
            guard items.count > 1, let id = items[1].elementID else { return nil }
            switch (name, items.count) {
            case ("new", 4):
                guard let kind = items[2].text.flatMap({ Element.Kind(rawValue: $0) }), let all = items[3].members
                else {
                    return nil
                }
                self = .new(id, kind, all.compactMapValues { PropertyValue($0) })
            case ("put", 4):
                guard let child = items[2].elementID, let index = items[3].int else { return nil }
                self = .put(parent: id, child, at: index)
            case ("del", 2): self = .delete(id)
            case ("scroll", 2): self = .scroll(id)
            case ("set", 3):
                guard let all = items[2].members else { return nil }
                self = .set(id, all.mapValues { PropertyValue($0) })
            case ("txt", 3): self = .text(id, (items[2].items ?? []).map { TextRun($0) })
            default: return nil
            }
        }
    }

    extension TextRun {
        init(_ json: JSONValue) {
            self.init(text: json["t"]?.text ?? "")
            style = Set((json["s"]?.items ?? []).compactMap(\.text))
            address = json["h"]?.text
            for (name, value) in json.members ?? [:] where name.hasPrefix("l.") {
                if let name = Element.LookName(rawValue: String(name.dropFirst(2))) { look[name] = value.text }
            }
        }
    }

    extension PropertyValue {
        init?(_ json: JSONValue) {
            switch json {
            case .bool(let value): self = .bool(value)
            case .number(let value): self = .number(value)
            case .text(let value): self = .text(value)
            default: return nil
            }
        }
    }
#endif
