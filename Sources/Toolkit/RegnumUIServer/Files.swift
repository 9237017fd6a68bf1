// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Browser
    import Foundation
    import HTTPServing
    import LoopbackServer

    enum Files {
        static func response(to path: String) -> HTTPResponse? {
            if let script = scripts[path] { return HTTPResponse(type: "text/javascript; charset=utf-8", script) }
            if path == "/ui.css" { return HTTPResponse(type: "text/css; charset=utf-8", PackageResources.ui_css) }
            return path.hasPrefix("/img/") ? picture(String(path.dropFirst("/img/".count))) : nil
        }

        private static let scripts = [
            "/ui.js": PackageResources.ui_js, "/tree.js": PackageResources.tree_js,
            "/elements.js": PackageResources.elements_js, "/show.js": PackageResources.show_js,
            "/symbols.js": PackageResources.symbols_js, "/batches.js": PackageResources.batches_js,
            "/texts.js": PackageResources.texts_js, "/actions.js": PackageResources.actions_js,
            "/pages.js": PackageResources.pages_js, "/places.js": PackageResources.places_js,
            "/connection.js": PackageResources.connection_js,
        ]

        private static let types = [
            "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif", "webp": "image/webp",
            "svg": "image/svg+xml",
        ]

        /// The name can omit the extension.
        private static func picture(_ name: String) -> HTTPResponse? {
            guard let name = name.removingPercentEncoding, !name.isEmpty, !name.contains("/"), !name.hasPrefix(".")
            else { return nil }
            let endings = [""] + types.keys.sorted().map { "." + $0 }
            for folder in folders {
                for ending in endings {
                    let file = folder.appendingPathComponent(name + ending)
                    guard let type = types[file.pathExtension.lowercased()], let data = try? Data(contentsOf: file)
                    else { continue }
                    return HTTPResponse(type: type, Array(data))
                }
            }
            return nil
        }

        /// The resource folders of the app's modules, which are in the folder of the executable.
        private static let folders: [URL] = {
            guard let home = Bundle.main.resourceURL else { return [] }
            let all = (try? FileManager.default.contentsOfDirectory(at: home, includingPropertiesForKeys: nil)) ?? []
            return [home] + all.filter { $0.pathExtension == "resources" }.sorted { $0.path < $1.path }
        }()
    }
#endif
