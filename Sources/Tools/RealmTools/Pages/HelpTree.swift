// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation

struct HelpTree: Decodable {
    let command: Command

    struct Command: Decodable {
        let commandName: String
        let abstract: String?
        let discussion: String?
        let subcommands: [Command]?
        let arguments: [Argument]?
        let shouldDisplay: Bool?
    }

    struct Argument: Decodable {
        let kind: String
        let shouldDisplay: Bool
        let isOptional: Bool
        let isRepeating: Bool
        let names: [Name]?
        let valueName: String?
        let abstract: String?

        struct Name: Decodable {
            let kind: String
            let name: String

            var text: String { (kind == "long" ? "--" : "-") + name }
        }
    }

    init(json: String) throws { self = try JSONDecoder().decode(HelpTree.self, from: Data(json.utf8)) }

    var commands: [Command] {
        (command.subcommands ?? []).filter { $0.shouldDisplay ?? true && $0.commandName != "help" }
    }
}
