// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmAccounts
    import RealmStorage
    import RealmSyncCore

    /// A user whose rights on documents are determined, in an app with flexible sync.
    public struct UserContext: Sendable {
        /// An identity with which the user logs in.
        public struct Identity: Sendable {
            /// The id of the identity.
            public let id: String
            /// The name of its provider, such as `anon-user` or `local-userpass`.
            public let provider: String
        }

        /// The HTTP request with which a client connected, or called the documents.
        public struct Request: Sendable {
            /// The IP address of the client.
            public let address: String
            private let headers: [ClientRequest.Header]

            fileprivate init(_ request: ClientRequest) {
                (address, headers) = (request.address.string, request.headers)
            }

            /// Returns the values of a header, which are empty for `Authorization` and `Cookie`.
            ///
            /// - Parameter name: The name of the header, regardless of case.
            public func values(of name: String) -> [String] {
                let name = ByteText(name.lowercased())
                return headers.filter { $0.name == name }.map(\.value.string)
            }

            fileprivate var json: JSON {
                func value(_ name: String) -> JSON { values(of: name).first.map { .string($0) } ?? .null }
                let names = headers.map(\.name.string)
                let members = names.indices.filter { names[..<$0].firstIndex(of: names[$0]) == nil }.map {
                    JSON.Member(names[$0], .array(values(of: names[$0]).map { .string($0) }))
                }
                return [
                    "remoteIPAddress": .string(address), "httpUserAgent": value("user-agent"),
                    "httpReferrer": value("referer"), "requestHeaders": .object(members),
                ]
            }
        }

        /// The id of the app.
        public let app: String
        /// The id of the user.
        public let user: String
        /// The custom data of the user as JSON, or `nil` if the user doesn't have any.
        public let customData: [UInt8]?
        /// The profile of the user as a JSON object, with members such as `email` and `name`.
        public let profile: [UInt8]
        /// The identities of the user.
        public let identities: [Identity]
        /// The request of the session or the call, or `nil` if the server itself determines the rights.
        public let request: Request?

        package init(_ grant: AccessGrant) {
            (app, user, customData) = (grant.app, grant.user, grant.customData)
            profile = Array(JSON.object(grant.profile).description.utf8)
            identities = grant.identities.map { Identity(id: $0.id, provider: $0.provider) }
            request = grant.request.map { Request($0) }
        }
    }

    /// A function that returns the access of a user to the documents of an app with flexible sync. Other connections
    /// don't wait for it, but it must not block its thread.
    public typealias DocumentAccessHook = @Sendable (UserContext) async throws -> DocumentAccess

    /// The members of `%%user` and `%%request`, parsed once for all rules of an app.
    struct UserValues {
        private let members: JSON

        init(_ context: UserContext) {
            let identities = context.identities.map { identity -> JSON in
                ["id": .string(identity.id), "provider_type": .string(identity.provider)]
            }
            let isServer = context.identities.contains { $0.provider == Provider.key.rawValue }
            members = [
                "user": [
                    "id": .string(context.user), "type": isServer ? "server" : "normal",
                    "data": (try? JSON(parsing: context.profile)) ?? .null,
                    "custom_data": context.customData.flatMap { try? JSON(parsing: $0) } ?? .null,
                    "identities": .array(identities),
                ],
                "request": context.request?.json ?? .null,
            ]
        }

        /// Returns the value at a path. Null counts as missing, and in an array the path selects from each element.
        /// Returns `nil` if the value is missing or isn't valid Extended JSON.
        func value(at path: [String]) -> ExtendedJSON? {
            guard let json = UserValues.value(of: members, at: path[...]), !json.isNull else { return nil }
            return ExtendedJSON(json)
        }

        private static func value(of json: JSON, at path: ArraySlice<String>) -> JSON? {
            guard let name = path.first else { return json }
            guard let elements = json.elements else {
                return json[name].flatMap { value(of: $0, at: path.dropFirst()) }
            }
            if let index = Int(name) {
                return elements.indices.contains(index) ? value(of: elements[index], at: path.dropFirst()) : nil
            }
            let values = elements.compactMap { value(of: $0, at: path) }
            return values.isEmpty ? nil : .array(values)
        }
    }
#endif
