// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import HTTPServing

    /// The operation that the path of a request identifies (§1.1). The routes of a session also exist below the path of
    /// an app, where they apply only to the app's users.
    enum Route: Sendable, Equatable {
        case location(app: String)
        case login(app: String, provider: String)
        case password(app: String, PasswordOperation)
        case profile(app: String?)
        case session(app: String?)
        case deletion(app: String?)
        case keys(app: String?)
        case key(app: String?, id: String)
        case keyState(app: String?, id: String, isDisabled: Bool)
        case functions(app: String)
        case push(app: String, service: String)

        enum PasswordOperation: String, Sendable {
            case register = "register"
            case confirm = "confirm"
            case sendConfirmation = "confirm/send"
            case callConfirmation = "confirm/call"
            case sendReset = "reset/send"
            case reset = "reset"
            case callReset = "reset/call"
        }

        /// Returns `nil` if the path isn't a client route.
        init?(path: String) {
            var parts: [String] = []
            for part in path.split(separator: "/", omittingEmptySubsequences: true) {
                guard let decoded = percentDecoded(part) else { return nil }
                parts.append(decoded)
            }
            guard parts.starts(with: ["api", "client", "v2.0"]) else { return nil }
            parts.removeFirst(3)
            if parts.first == "app" {
                guard parts.count > 2 else { return nil }
                self.init(of: parts[1], parts[2...])
            } else {
                self.init(app: nil, session: parts[...])
            }
        }

        private init?(of app: String, _ parts: ArraySlice<String>) {
            let parts = Array(parts)
            if parts == ["location"] {
                self = .location(app: app)
            } else if parts == ["functions", "call"] {
                self = .functions(app: app)
            } else if parts.count == 4, parts[...1] == ["push", "providers"], parts[3] == "registration" {
                self = .push(app: app, service: parts[2])
            } else if parts.count == 4, parts[...1] == ["auth", "providers"], parts[3] == "login" {
                self = .login(app: app, provider: parts[2])
            } else if parts.count > 3, parts[...2] == ["auth", "providers", "local-userpass"] {
                guard let operation = PasswordOperation(rawValue: parts[3...].joined(separator: "/")) else {
                    return nil
                }
                self = .password(app: app, operation)
            } else {
                self.init(app: app, session: parts[...])
            }
        }

        private init?(app: String?, session parts: ArraySlice<String>) {
            guard parts.first == "auth" else { return nil }
            let parts = Array(parts.dropFirst())
            switch (parts.first, parts.count) {
            case ("profile", 1): self = .profile(app: app)
            case ("session", 1): self = .session(app: app)
            case ("delete", 1): self = .deletion(app: app)
            case ("api_keys", 1): self = .keys(app: app)
            case ("api_keys", 2): self = .key(app: app, id: parts[1])
            case ("api_keys", 3) where parts[2] == "enable" || parts[2] == "disable":
                self = .keyState(app: app, id: parts[1], isDisabled: parts[2] == "disable")
            default: return nil
            }
        }

        var methods: [String] {
            switch self {
            case .location, .profile: ["GET"]
            case .login, .password: ["POST"]
            case .functions: ["GET", "POST"]
            case .session: ["POST", "DELETE"]
            case .deletion: ["DELETE"]
            case .keys: ["GET", "POST"]
            case .key: ["GET", "DELETE"]
            case .keyState: ["PUT"]
            case .push: ["PUT", "DELETE"]
            }
        }

        /// For logs. Doesn't contain anything that the client sent.
        var label: String {
            switch self {
            case .location: "location"
            case .login: "login"
            case .password(_, let operation): operation.rawValue
            case .profile: "profile"
            case .session: "session"
            case .deletion: "delete"
            case .keys, .key, .keyState: "api_keys"
            case .functions: "functions/call"
            case .push: "push"
            }
        }

        var app: String? {
            switch self {
            case .location(let app), .login(let app, _), .password(let app, _), .functions(let app),
                .push(let app, _):
                app
            case .profile(let app), .session(let app), .deletion(let app), .keys(let app), .key(let app, _),
                .keyState(let app, _, _):
                app
            }
        }

        /// The stricter rate limit applies to these routes.
        var triesCredentials: Bool {
            switch self {
            case .login, .password: true
            default: false
            }
        }
    }
#endif
