// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import SwiftUI

#if canImport(RegnumUITesting)
    import RegnumUITesting
#elseif canImport(AppKit)
    import AppKit
#else
    import UIKit
#endif

/// Evaluates a view like the platform's SwiftUI. The view itself records its content, since the drawn one isn't read.
@MainActor final class ViewHost {
    struct Timeout: Error {}

    #if canImport(RegnumUITesting)
        private let host: UIHost

        init(_ view: some View) { host = UIHost(view) }

        private func layOut() async { await host.settle() }
    #elseif canImport(AppKit)
        private let window: NSWindow

        init(_ view: some View) {
            window = NSWindow(contentViewController: NSHostingController(rootView: view))
            window.contentView?.layoutSubtreeIfNeeded()
        }

        private func layOut() async { window.contentView?.layoutSubtreeIfNeeded() }
    #else
        private let window = UIWindow()
        private let controller: UIViewController

        init(_ view: some View) {
            controller = UIHostingController(rootView: view)
            window.rootViewController = controller
            window.isHidden = false
            controller.view.layoutIfNeeded()
        }

        private func layOut() async { controller.view.layoutIfNeeded() }
    #endif

    func wait(until condition: () -> Bool) async throws {
        let end = ContinuousClock.now + .seconds(1200)
        while true {
            await layOut()
            if condition() { return }
            if ContinuousClock.now > end { throw Timeout() }
            try await Task.sleep(for: .milliseconds(5))
        }
    }
}

/// The text of a view's last evaluation, and the actions of its controls.
@MainActor final class ViewRecord {
    private(set) var text = ""
    private var actions: [String: () -> Void] = [:]

    func show(_ text: String, _ actions: [String: () -> Void] = [:]) -> String {
        (self.text, self.actions) = (text, actions)
        return text
    }

    func perform(_ name: String) {
        guard let action = actions[name] else { preconditionFailure("The view has no action named \(name).") }
        action()
    }
}
