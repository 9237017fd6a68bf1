// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import PageMessages

/// A headless browser, controlled through two pipes.
package final class Chromium: Sendable {
    package static let path: String? = [
        "/usr/bin/chromium", "/usr/bin/chromium-browser", "/Applications/Chromium.app/Contents/MacOS/Chromium",
        "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    ].first { FileManager.default.isExecutableFile(atPath: $0) }

    private struct State {
        var lastID = 0
        var waiting: [Int: CheckedContinuation<JSONValue, any Error>] = [:]
        var events: [JSONValue] = []
        var isEnded = false
    }

    private let process: Process
    private let orders: FileHandle
    private let lock = NSLock()
    /// Guarded by `lock`: `Mutex` needs macOS 15.
    nonisolated(unsafe) private var state = State()
    private let folder: URL

    package init() throws {
        guard let path = Self.path else { throw RawError(description: "There is no Chromium.") }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("chromium-\(UUID().uuidString)")
        self.folder = folder
        let (input, output) = (Pipe(), Pipe())
        process = Process()
        orders = input.fileHandleForWriting
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        // The browser reads commands from descriptor 3 and writes responses to descriptor 4.
        let options = [
            "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
            "--remote-debugging-pipe", "--disable-extensions", "--disable-background-networking", "--lang=en-US",
            "--disable-component-update", "--no-default-browser-check", "--disable-renderer-backgrounding",
            "--disable-backgrounding-occluded-windows", "--user-data-dir=\(folder.path)",
        ]
        process.arguments = ["-c", "exec \"$0\" \"$@\" 3<&0 4>&1 0</dev/null 1>/dev/null 2>/dev/null", path] + options
        (process.standardInput, process.standardOutput) = (input, output)
        try process.run()
        let answers = output.fileHandleForReading
        Thread.detachNewThread { [weak self] in
            var text: [UInt8] = []
            while true {
                let data = answers.availableData
                guard !data.isEmpty else { break }
                for byte in data {
                    if byte != 0 {
                        text.append(byte)
                    } else {
                        self?.take(text)
                        text = []
                    }
                }
            }
            self?.end()
        }
    }

    deinit { process.terminate() }

    package func close() {
        process.terminate()
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: folder)
    }

    private func end() {
        let waiting = lock.withLock {
            state.isEnded = true
            defer { state.waiting = [:] }
            return state.waiting
        }
        for continuation in waiting.values {
            continuation.resume(throwing: RawError(description: "The browser ended."))
        }
    }

    private func take(_ text: [UInt8]) {
        guard let message = try? JSONDecoder().decode(JSONValue.self, from: Data(text)) else { return }
        guard let id = message["id"]?.int else { return lock.withLock { state.events.append(message) } }
        let continuation = lock.withLock { state.waiting.removeValue(forKey: id) }
        if let error = message["error"] {
            continuation?.resume(throwing: RawError(description: "\(error)"))
        } else {
            continuation?.resume(returning: message["result"] ?? .null)
        }
    }

    /// Sends a command of the DevTools protocol, and returns its result.
    @discardableResult package func order(
        _ method: String, _ parameters: [String: JSONValue] = [:], session: String? = nil
    ) async throws -> JSONValue {
        try await withCheckedThrowingContinuation { continuation in
            let id: Int? = lock.withLock {
                guard !state.isEnded else { return nil }
                state.lastID += 1
                state.waiting[state.lastID] = continuation
                return state.lastID
            }
            guard let id else { return continuation.resume(throwing: RawError(description: "The browser has ended.")) }
            var message: [String: JSONValue] = [
                "id": JSONValue(id), "method": .text(method), "params": .object(parameters),
            ]
            if let session { message["sessionId"] = .text(session) }
            guard let data = try? JSONEncoder().encode(JSONValue.object(message)) else { return }
            orders.write(data + [0])
        }
    }

    package func events(_ method: String, session: String) -> [JSONValue] {
        lock.withLock {
            state.events.filter { $0["method"] == .text(method) && $0["sessionId"] == .text(session) }
        }
    }

    /// Opens a tab in its own window. Of the tabs of one window, the browser draws only the front one, so others would
    /// wait for their frames.
    package func open(_ address: String) async throws -> Tab {
        let target = try await order(
            "Target.createTarget", ["url": .text("about:blank"), "newWindow": .bool(true)])
        guard let id = target["targetId"]?.text else { throw RawError(description: "No tab.") }
        let attached = try await order("Target.attachToTarget", ["targetId": .text(id), "flatten": .bool(true)])
        let tab = Tab(browser: self, target: id, session: attached["sessionId"]?.text ?? "")
        for domain in ["Page", "Runtime", "Log", "Network", "Accessibility"] { try await tab.order("\(domain).enable") }
        // Each tab acts as if it had the keyboard focus.
        try await tab.order("Emulation.setFocusEmulationEnabled", ["enabled": .bool(true)])
        try await tab.order("Page.bringToFront")
        try await tab.go(to: address)
        return tab
    }
}

package struct Tab: Sendable {
    let browser: Chromium
    let target: String
    let session: String

    @discardableResult package func order(_ method: String, _ parameters: [String: JSONValue] = [:]) async throws
        -> JSONValue
    {
        try await browser.order(method, parameters, session: session)
    }

    package func go(to address: String) async throws { try await order("Page.navigate", ["url": .text(address)]) }

    package func close() async throws { try await browser.order("Target.closeTarget", ["targetId": .text(target)]) }

    package func events(_ method: String) -> [JSONValue] { browser.events(method, session: session) }

    @discardableResult package func value(_ expression: String) async throws -> JSONValue {
        let result = try await order(
            "Runtime.evaluate",
            ["expression": .text(expression), "returnByValue": .bool(true), "awaitPromise": .bool(true)])
        if let error = result["exceptionDetails"] { throw RawError(description: "\(expression): \(error)") }
        return result["result"]?["value"] ?? .null
    }

    /// Waits until an expression is true. The error of a failure has the shown text, and the state that distinguishes a
    /// wrong page from an undrawn one.
    ///
    /// Seconds are counted by turns, not by the clock. While other tests occupy all threads, neither this method nor
    /// the page's server in the same process gets a turn.
    /// The condition must not become false again, since an evaluation may be seconds late.
    package func wait(for expression: String, seconds: Double = 60) async throws {
        for _ in 0..<Int(seconds * 50) {
            if let value = try? await value("!!(\(expression))"), value == .bool(true) { return }
            try await Task.sleep(for: .milliseconds(20))
        }
        let text = try await value("document.body.innerText").text ?? ""
        let drawing = try await value(
            "Promise.race([new Promise(requestAnimationFrame).then(() => 'drawn'),"
                + " new Promise(done => setTimeout(done, 1000, 'not drawn'))])"
                + ".then(is => `${is}, ${document.visibilityState}, ${document.hasFocus() ? '' : 'not '}in focus`)")
        throw RawError(description: "It did not come true: \(expression) (\(drawing.text ?? ""))\n\(text)")
    }

    package func wait(forText text: String, seconds: Double = 60) async throws {
        try await wait(for: "document.body.innerText.includes(\(Self.quoted(text)))", seconds: seconds)
    }

    package static func quoted(_ text: String) -> String {
        (try? JSONEncoder().encode(text)).map { String(decoding: $0, as: UTF8.self) } ?? "''"
    }

    /// Sets the size of the page's window in pixels, each as large as `scale` of the screen.
    package func resize(width: Double, height: Double, scale: Double = 1) async throws {
        try await order(
            "Emulation.setDeviceMetricsOverride",
            [
                "width": .number(width), "height": .number(height), "deviceScaleFactor": .number(scale),
                "mobile": .bool(false),
            ])
    }

    package func emulate(isOffline: Bool, latency: Int) async throws {
        try await order(
            "Network.emulateNetworkConditions",
            [
                "offline": .bool(isOffline), "latency": JSONValue(latency), "downloadThroughput": JSONValue(-1),
                "uploadThroughput": JSONValue(-1),
            ])
    }

    /// The accessible name of the element `e`.
    private static let name =
        "(e.ariaLabel ?? [...e.querySelectorAll('[aria-label]')].map(i => i.ariaLabel).join(' ') + e.textContent)"

    // MARK: Mouse and keys

    /// Clicks in the middle of the first element that matches a CSS selector and contains a text.
    package func click(_ selector: String, _ text: String = "") async throws {
        let find =
            "[...document.querySelectorAll(\(Self.quoted(selector)))].find(e => !e.disabled && \(Self.name).includes(\(Self.quoted(text))))"
        try await wait(for: find)
        let place = try await value(
            "(() => { const e = \(find); e.scrollIntoView({block: 'center'}); const b = e.getBoundingClientRect();"
                + " return [b.left + b.width / 2, b.top + b.height / 2] })()")
        guard let point = place.items, point.count == 2 else {
            throw RawError(description: "\(selector) has no place.")
        }
        for type in ["mouseMoved", "mousePressed", "mouseReleased"] {
            try await order(
                "Input.dispatchMouseEvent",
                [
                    "type": .text(type), "x": point[0], "y": point[1],
                    "button": .text(type == "mouseMoved" ? "none" : "left"),
                    "clickCount": JSONValue(type == "mouseMoved" ? 0 : 1),
                ])
        }
    }

    /// Turns the wheel over the middle of the first element that matches a CSS selector, by a number of pixels.
    package func turnWheel(_ pixels: Double, sideways: Double = 0, over selector: String) async throws {
        let (x, y, _) = try await middle(of: selector)
        try await order(
            "Input.dispatchMouseEvent",
            [
                "type": .text("mouseWheel"), "x": .number(x), "y": .number(y), "deltaX": .number(sideways),
                "deltaY": .number(pixels),
            ])
    }

    /// Swipes up over the middle of an element by a number of pixels, or down if it is negative. The element's height
    /// determines the number of strokes. The finger rests before it is lifted.
    package func swipe(_ pixels: Double, over selector: String) async throws {
        let (x, y, height) = try await middle(of: selector)
        try await order("Emulation.setTouchEmulationEnabled", ["enabled": .bool(true)])
        var rest = pixels
        while rest != 0 {
            // A swipe begins and ends on the element. Elsewhere the browser doesn't respond.
            let longest = 0.8 * height
            let way = max(-longest, min(longest, rest))
            rest -= way
            let start = y + way / 2
            try await touch("touchStart", x, start)
            let steps = 10.0
            for step in 1...Int(steps) { try await touch("touchMove", x, start - way * Double(step) / steps) }
            try await Task.sleep(for: .milliseconds(100))
            try await touch("touchMove", x, start - way)
            try await order("Input.dispatchTouchEvent", ["type": .text("touchEnd"), "touchPoints": .list([])])
        }
    }

    private func touch(_ type: String, _ x: Double, _ y: Double) async throws {
        let point = JSONValue.object(["x": .number(x), "y": .number(y)])
        try await order("Input.dispatchTouchEvent", ["type": .text(type), "touchPoints": .list([point])])
    }

    package func drag(from start: (x: Double, y: Double), to end: (x: Double, y: Double)) async throws {
        // If the mouse wasn't over the bar in the last frame, the browser registers a press of its thumb as one next to
        // it.
        try await order(
            "Input.dispatchMouseEvent",
            ["type": .text("mouseMoved"), "x": .number(start.x), "y": .number(start.y), "button": .text("none")])
        try await value("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        let steps = 5
        for step in -1...steps + 1 {
            let share = Double(min(steps, max(0, step))) / Double(steps)
            try await order(
                "Input.dispatchMouseEvent",
                [
                    "type": .text(step < 0 ? "mousePressed" : step > steps ? "mouseReleased" : "mouseMoved"),
                    "x": .number(start.x + (end.x - start.x) * share),
                    "y": .number(start.y + (end.y - start.y) * share),
                    "button": .text("left"), "buttons": .number(step > steps ? 0 : 1), "clickCount": .number(1),
                ])
        }
    }

    private func middle(of selector: String) async throws -> (x: Double, y: Double, height: Double) {
        let place = try await value(
            "(b => [b.left + b.width / 2, b.top + b.height / 2, b.height])"
                + "(document.querySelector(\(Self.quoted(selector))).getBoundingClientRect())")
        guard let items = place.items, items.count == 3, case .number(let x) = items[0],
            case .number(let y) = items[1], case .number(let height) = items[2]
        else { throw RawError(description: "\(selector) has no place.") }
        return (x, y, height)
    }

    /// Presses a key by its name: Tab, Enter, Escape, Delete, ArrowUp, and so on.
    package func press(_ key: String, shift: Bool = false) async throws {
        let codes = [
            "Tab": 9, "Enter": 13, "Escape": 27, " ": 32, "Delete": 46, "ArrowUp": 38, "ArrowDown": 40, "Backspace": 8,
        ]
        let text = key == "Enter" ? "\r" : key == " " ? " " : nil
        for type in ["keyDown", "keyUp"] {
            var parameters: [String: JSONValue] = [
                "type": .text(type), "key": .text(key), "code": .text(key == " " ? "Space" : key),
                "windowsVirtualKeyCode": JSONValue(codes[key] ?? 0), "modifiers": JSONValue(shift ? 8 : 0),
            ]
            if let text, type == "keyDown" { parameters["text"] = .text(text) }
            try await order("Input.dispatchKeyEvent", parameters)
        }
    }

    package func type(_ text: String) async throws {
        for character in text {
            for type in ["keyDown", "keyUp"] {
                var parameters: [String: JSONValue] = ["type": .text(type), "key": .text(String(character))]
                if type == "keyDown" { parameters["text"] = .text(String(character)) }
                try await order("Input.dispatchKeyEvent", parameters)
            }
        }
    }

    /// Presses Tab until the focused element satisfies a condition, which calls it `e` and its name `name`.
    package func tab(until condition: String) async throws {
        for _ in 0..<60 {
            if try await value("(e => { const name = \(Self.name); return !!(\(condition)) })(document.activeElement)")
                == .bool(true)
            {
                return
            }
            try await press("Tab")
        }
        throw RawError(description: "The keyboard does not reach \(condition).")
    }

    // MARK: Accessibility

    /// Returns the roles and names of all elements exposed to assistive technology.
    package func accessible() async throws -> [(role: String, name: String)] {
        let tree = try await order("Accessibility.getFullAXTree")
        return (tree["nodes"]?.items ?? []).filter { $0["ignored"] != .bool(true) }.map { node in
            (node["role"]?["value"]?.text ?? "", node["name"]?["value"]?.text ?? "")
        }
    }

    package func screenshot() async throws -> Data {
        let result = try await order("Page.captureScreenshot")
        return result["data"]?.text.flatMap { Data(base64Encoded: $0) } ?? Data()
    }
}
