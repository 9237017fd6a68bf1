// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Browser
    import HTTPServing

    enum PageFiles {
        static func response(to path: String) -> HTTPResponse? {
            if path == "/" { return HTTPResponse(type: "text/html; charset=utf-8", PackageResources.studio_html) }
            if path == "/studio.css" {
                return HTTPResponse(type: "text/css; charset=utf-8", PackageResources.studio_css)
            }
            return scripts[path].map { HTTPResponse(type: "text/javascript; charset=utf-8", $0) }
        }

        private static let scripts = [
            "/studio.js": PackageResources.studio_js, "/connection.js": PackageResources.connection_js,
            "/elements.js": PackageResources.elements_js, "/table.js": PackageResources.table_js,
            "/query.js": PackageResources.query_js, "/object.js": PackageResources.object_js,
            "/editor.js": PackageResources.editor_js, "/graph.js": PackageResources.graph_js,
            "/bytes.js": PackageResources.bytes_js, "/facts.js": PackageResources.facts_js,
            "/scale.js": PackageResources.scale_js,
        ]
    }
#endif
