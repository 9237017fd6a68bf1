// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Browser
    import Foundation
    import HTTPServing
    import LoopbackServer
    import RealmStorage
    import RealmTools

    package final class StudioServer: Sendable {
        private let server: LoopbackServer
        private let studio: StudioFile

        private init(_ server: LoopbackServer, _ studio: StudioFile) {
            (self.server, self.studio) = (server, studio)
        }

        package var address: String { server.address }
        package var port: Int { server.port }

        func openInBrowser() { server.openInBrowser() }

        /// Opens the file and starts listening. If the file needs a key or can't be opened, the page shows the reason.
        ///
        /// - Throws: If the file doesn't exist or the port can't be bound.
        package static func start(_ options: StudioOptions) async throws -> StudioServer {
            if let path = options.path, !FileManager.default.fileExists(atPath: path) {
                throw StorageError(.notFound, "there is no such file", path: path)
            }
            let studio = StudioFile(canWrite: options.canWrite)
            if let path = options.path { await studio.perform { $0.open(path, options.cipher) } }
            var settings = LoopbackServer.Options()
            (settings.host, settings.port) = (options.host, options.port)
            settings.imageSources = []
            // Data is edited as text, and a window of rows may contain much of it.
            settings.longestMessage = 32 << 20
            settings.longestBacklog = 256 << 20
            let server = try await LoopbackServer.start(
                settings, respond: { await respond(to: $0, studio) }, connect: { connect($0, studio) })
            return StudioServer(server, studio)
        }

        package func stop() async {
            await server.stop()
            await studio.perform { $0.end() }
        }

        // MARK: Requests

        private static func respond(to request: HTTPRequest, _ studio: StudioFile) async -> HTTPResponse? {
            if let file = PageFiles.response(to: request.path) { return file }
            guard request.path == "/export" else { return nil }
            return await studio.perform { studio in
                do {
                    let export = try QueryExport(request.queryItems, of: try studio.opened)
                    var response = HTTPResponse(type: export.type, try export.bytes())
                    response.headers.append(("Content-Disposition", "attachment; filename=\"\(export.fileName)\""))
                    return response
                } catch {
                    return .refusal(400, "\(error)")
                }
            }
        }

        private static func connect(_ socket: Socket, _ studio: StudioFile) -> @Sendable (SocketEvent) -> Void {
            let id = UUID()
            studio.queue.async { studio.add(StudioSession(studio) { socket.send($0) }, id) }
            return { event in
                studio.queue.async {
                    switch event {
                    case .message(let text): studio.session(id)?.handle(text)
                    case .closed: studio.remove(id)
                    }
                }
            }
        }
    }
#endif
