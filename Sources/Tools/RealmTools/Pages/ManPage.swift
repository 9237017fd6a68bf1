// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

struct ManPage {
    let name: String
    let text: String

    init(tool: HelpTree.Command, commands: [HelpTree.Command]) {
        name = tool.commandName
        var page = ManPage.head(name, tool.abstract)
        page += [".SH SYNOPSIS", ".B \(ManPage.escaped(name))", ".I command", "[\\fIoptions\\fR]"]
        page += ManPage.description(tool.discussion)
        page.append(".SH COMMANDS")
        for command in commands {
            page += [".TP", ".BR \(ManPage.escaped("realm-" + command.commandName)) (1)"]
            page.append(ManPage.escaped(command.abstract ?? ""))
        }
        page += ManPage.options(tool)
        text = page.joined(separator: "\n") + "\n"
    }

    init(_ command: HelpTree.Command, of tool: String) {
        name = tool + "-" + command.commandName
        var page = ManPage.head(name, command.abstract)
        page += [".SH SYNOPSIS", ".B \(ManPage.escaped(tool + " " + command.commandName))"]
        page += (command.arguments ?? []).filter(\.shouldDisplay).map(ManPage.synopsis)
        page += ManPage.description(command.discussion)
        page += ManPage.options(command)
        page += [
            ".SH EXIT STATUS",
            """
            0 for success; 1 if the file is rejected, has faults or differs; 2 for wrong usage.
            """,
        ]
        page += [".SH SEE ALSO", ".BR \(ManPage.escaped(tool)) (1)"]
        text = page.joined(separator: "\n") + "\n"
    }

    private static func head(_ name: String, _ abstract: String?) -> [String] {
        [
            ".TH \"\(name.uppercased())\" 1 \"\" \"Regnum\" \"Regnum\"", ".SH NAME",
            "\(escaped(name)) \\- \(escaped(abstract ?? ""))",
        ]
    }

    private static func synopsis(_ argument: HelpTree.Argument) -> String {
        let value = argument.valueName.map { "\\fI\(escaped($0))\\fR" } ?? ""
        let long = argument.names?.first { $0.kind == "long" } ?? argument.names?.first
        let body: String
        switch argument.kind {
        case "positional": body = value
        case "flag": body = escaped(long?.text ?? "")
        default: body = escaped(long?.text ?? "") + " " + value
        }
        let text = argument.isRepeating ? body + " ..." : body
        return argument.isOptional ? "[\(text)]" : text
    }

    private static func description(_ discussion: String?) -> [String] {
        guard let discussion, !discussion.isEmpty else { return [] }
        var lines = [".SH DESCRIPTION"]
        for line in discussion.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.isEmpty {
                lines.append(".PP")
            } else if line.hasPrefix(" ") {
                // An indented line is an example of input.
                lines += [".nf", escaped(String(line)), ".fi"]
            } else {
                lines.append(escaped(String(line)))
            }
        }
        return lines
    }

    private static func options(_ command: HelpTree.Command) -> [String] {
        let shown = (command.arguments ?? []).filter(\.shouldDisplay)
        guard !shown.isEmpty else { return [] }
        return [".SH OPTIONS"]
            + shown.flatMap { argument in
                let names = (argument.names ?? []).map { "\\fB\(escaped($0.text))\\fR" }.joined(separator: ", ")
                let value = argument.valueName.map { "\\fI\(escaped($0))\\fR" } ?? ""
                let head = argument.kind == "flag" ? names : names.isEmpty ? value : names + " " + value
                return [".TP", head, escaped(argument.abstract ?? "")]
            }
    }

    private static func escaped(_ text: String) -> String {
        let plain = text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
        return plain.hasPrefix(".") || plain.hasPrefix("'") ? "\\&" + plain : plain
    }
}
