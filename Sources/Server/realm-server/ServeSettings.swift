// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import ArgumentParser
    import Foundation

    /// The options of `serve` from a file and from the environment, as arguments of the command.
    ///
    /// Each option is a setting: `--admin-port 9091` is `"admin-port": 9091` in the file, and
    /// `REALM_SERVER_ADMIN_PORT=9091` in the environment. An argument precedes the environment, which precedes the
    /// file.
    struct ServeSettings {
        private struct Setting {
            let name: String
            let values: [String]
            /// The place of the setting, for errors.
            let source: String

            var arguments: [String] { values.map { "--\(name)=\($0)" } }
        }

        typealias Variable = (name: String, value: String)

        private static let prefix = "REALM_SERVER_"
        /// The options that can't be settings.
        private static let excluded = ["config", "check"]

        struct Option {
            let name: String
            let isRepeated: Bool
        }

        /// The options of the command.
        static let options: [Option] = Mirror(reflecting: ServeCommand()).children.compactMap { child in
            guard let label = child.label else { return nil }
            let name = optionName(label.hasPrefix("_") ? String(label.dropFirst()) : label)
            if excluded.contains(name) { return nil }
            return Option(name: name, isRepeated: "\(type(of: child.value))".hasPrefix("Option<Array<"))
        }

        private static func option(_ name: String) -> Option? { options.first { $0.name == name } }

        private static func optionName(_ property: String) -> String {
            property.map { $0.isUppercase ? "-" + $0.lowercased() : String($0) }.joined()
        }

        static func variable(_ name: String) -> String {
            prefix + name.uppercased().replacingOccurrences(of: "-", with: "_")
        }

        /// Returns a setting of the environment or of a file, for other commands than `serve`.
        ///
        /// - Throws: `ValidationError` if the file isn't one of settings.
        static func value(of name: String, config: String? = nil) throws -> String? {
            let environment = ProcessInfo.processInfo.environment
            if let value = environment[variable(name)] { return value }
            guard let file = config ?? environment[variable("config")] else { return nil }
            return try read(file: file).first { $0.name == name }?.values.first
        }

        /// Returns the arguments with those of the settings, if the command is `serve`.
        ///
        /// - Throws: `ValidationError`, whose text names the file or the variable of a wrong setting.
        static func arguments(_ given: [String], environment: [Variable]) throws -> [String] {
            guard let own = serveArguments(given) else { return given }
            let file = value(of: "config", in: own) ?? environment.first { $0.name == variable("config") }?.value
            var settings = try file.map { try read(file: $0) } ?? []
            let variables = try read(environment)
            settings.removeAll { setting in variables.contains { $0.name == setting.name } }
            let added = (settings + variables).filter { !isGiven($0.name, own) }.sorted { $0.name < $1.name }
            let all = added.flatMap(\.arguments) + own
            try check(all, added)
            return ["serve"] + all
        }

        /// Returns `nil` if the arguments are those of another command, or request help.
        private static func serveArguments(_ given: [String]) -> [String]? {
            if given.contains(where: { ["--help", "-h", "-help"].contains($0) }) { return nil }
            if given.first == "serve" { return Array(given.dropFirst()) }
            guard let first = given.first else { return [] }
            let isOption = optionNames.contains { first == "--\($0)" || first.hasPrefix("--\($0)=") }
            return isOption ? given : nil
        }

        private static var optionNames: [String] { excluded + options.map(\.name) }

        private static func isGiven(_ name: String, _ arguments: [String]) -> Bool {
            arguments.contains { $0 == "--\(name)" || $0.hasPrefix("--\(name)=") }
        }

        private static func value(of name: String, in arguments: [String]) -> String? {
            if let index = arguments.firstIndex(of: "--\(name)"), index + 1 < arguments.count {
                return arguments[index + 1]
            }
            return arguments.first { $0.hasPrefix("--\(name)=") }.map { String($0.dropFirst(name.count + 3)) }
        }

        // MARK: Sources

        private static func read(_ environment: [Variable]) throws -> [Setting] {
            var settings: [Setting] = []
            for (variable, text) in environment where variable.hasPrefix(prefix) {
                let name = variable.dropFirst(prefix.count).lowercased().replacingOccurrences(of: "_", with: "-")
                if name == "config" { continue }
                guard !isOfKubernetes(name, text) else { throw kubernetes(variable) }
                guard let isRepeated = option(name)?.isRepeated else { throw unknown(name, "the variable \(variable)") }
                let values = isRepeated ? text.split(separator: ",").map(String.init) : [text]
                settings.append(Setting(name: name, values: values, source: "the variable \(variable)"))
            }
            return settings
        }

        /// Whether Kubernetes has set the variable in the pods of a cluster with a service named `realm-server`.
        private static func isOfKubernetes(_ name: String, _ value: String) -> Bool {
            ["service-", "port-"].contains { name.hasPrefix($0) }
                || name == "port" && ["tcp://", "udp://", "sctp://"].contains { value.hasPrefix($0) }
        }

        private static func kubernetes(_ variable: String) -> ValidationError {
            ValidationError(
                """
                the variable \(variable) is that of a Kubernetes service named 'realm-server', not a setting: write \
                'enableServiceLinks: false' into the specification of the pod, or rename the service.
                """)
        }

        /// A text or a number, or an array of them.
        private struct Value: Decodable {
            let texts: [String]
            let isArray: Bool

            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                if let text = try? container.decode(String.self) {
                    (texts, isArray) = ([text], false)
                } else if let number = try? container.decode(Int.self) {
                    (texts, isArray) = (["\(number)"], false)
                } else {
                    let elements = try container.decode([Value].self)
                    guard !elements.contains(where: \.isArray) else {
                        throw DecodingError.dataCorruptedError(in: container, debugDescription: "nested arrays")
                    }
                    (texts, isArray) = (elements.flatMap(\.texts), true)
                }
            }
        }

        /// A value that isn't a `Value`, so that the error names the member.
        private struct Member: Decodable {
            let value: Value?

            init(from decoder: any Decoder) throws { value = try? Value(from: decoder) }
        }

        private static func read(file path: String) throws -> [Setting] {
            let data = try ServeCommand.contents(of: path, "config")
            guard let members = try? JSONDecoder().decode([String: Member].self, from: data) else {
                throw ValidationError("The file '\(path)' isn't a JSON object with a member for each setting.")
            }
            return try members.map { name, member in
                let source = "'\(name)' in the file '\(path)'"
                guard let isRepeated = option(name)?.isRepeated else { throw unknown(name, source) }
                guard let value = member.value, isRepeated || !value.isArray else {
                    throw ValidationError(
                        "\(source) isn't a text or a whole number\(isRepeated ? ", or an array of them" : "").")
                }
                return Setting(name: name, values: value.texts, source: source)
            }
        }

        private static func unknown(_ name: String, _ source: String) -> ValidationError {
            let known = options.map(\.name).sorted().joined(separator: ", ")
            return ValidationError("\(source): there's no setting '\(name)'. The settings are \(known).")
        }

        /// - Throws: `ValidationError` with the source of a setting that isn't valid.
        private static func check(_ arguments: [String], _ added: [Setting]) throws {
            do { _ = try ServeCommand.parse(arguments) } catch {
                let message = ServeCommand.message(for: error)
                guard let setting = added.first(where: { message.contains("--\($0.name)") }) else { return }
                throw ValidationError("\(setting.source): \(message)")
            }
        }
    }
#endif
