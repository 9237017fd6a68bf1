// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import HTTPServing
    import RealmSyncCore

    extension HTTPRequest {
        func header(_ name: String) -> String? {
            headers.last { $0.name.lowercased() == name }?.value
        }

        /// - Throws: `.missingAuthorization`.
        func bearerToken() throws(ServiceError) -> String {
            let parts = (header("authorization") ?? "").split(separator: " ")
            guard parts.count == 2, parts[0].lowercased() == "bearer" else { throw .missingAuthorization }
            return String(parts[1])
        }

        /// - Throws: `ServiceError` if the body isn't a JSON object.
        func document() throws(ServiceError) -> Document {
            guard let type = header("content-type"), isJSON(type) else { throw .noJSON }
            let json: JSON
            do { json = try JSON(parsing: body) } catch { throw .badRequest("the body isn't JSON: \(error.message)") }
            guard json.members != nil else { throw .badRequest("the body isn't a JSON object") }
            return Document(json: json)
        }

        private func isJSON(_ type: String) -> Bool {
            type.split(separator: ";", maxSplits: 1).first.map { $0.filter { $0 != " " }.lowercased() }
                == "application/json"
        }

        struct Document: Sendable {
            let json: JSON

            func text(_ name: String, longest: Int = 1000) throws(ServiceError) -> String {
                guard let text = json[name]?.text else { throw .missing(name) }
                guard text.utf8.count <= longest else { throw .invalid("'\(name)' is longer than \(longest) bytes") }
                return text
            }

            /// Returns `nil` if the member is missing or null.
            func optionalText(_ name: String, longest: Int = 1000) throws(ServiceError) -> String? {
                guard let value = json[name], !value.isNull else { return nil }
                return try text(name, longest: longest)
            }
        }
    }
#endif
