// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// An app, described by its scenes.
///
/// Values declared by `@State` and `@StateObject` live as long as the process, and all windows share them.
@MainActor @preconcurrency public protocol App {
    /// The type of the app's scenes.
    associatedtype Body: Scene
    /// The scenes of the app.
    @SceneBuilder @MainActor @preconcurrency var body: Self.Body { get }
    /// Creates the app.
    @MainActor @preconcurrency init()
}

/// A part of an app that offers windows.
@MainActor @preconcurrency public protocol Scene {
    /// The type of the scene's content.
    associatedtype Body: Scene
    /// The content of the scene.
    @SceneBuilder @MainActor @preconcurrency var body: Self.Body { get }
}

extension Scene where Body == Never {
    /// Traps, because built-in scenes have no body.
    public var body: Never { preconditionFailure("\(Self.self) has no body.") }
}

/// A built-in scene.
@MainActor protocol KnownScene: Scene where Body == Never {
    /// The windows that the scene offers.
    @MainActor var windows: [SceneWindow] { get }
}

/// A window that a scene offers.
struct SceneWindow {
    let id: String?
    var view: any View
}

extension Scene {
    /// The windows that the scene offers; the first one is shown by default.
    var allWindows: [SceneWindow] { (self as? any KnownScene)?.windows ?? body.allWindows }
}

/// A scene of identical windows. Each window has its own state.
nonisolated public struct WindowGroup<Content>: Scene, KnownScene where Content: View {
    private var id: String?
    private let content: () -> Content

    /// Creates a window group.
    public init(@ViewBuilder content: @escaping () -> Content) { self.content = content }
    /// Creates a window group with an identifier. A browser opens it at `/scene/` followed by the identifier.
    public init(id: String, @ViewBuilder content: @escaping () -> Content) {
        (self.id, self.content) = (id, content)
    }
    /// Creates a window group with a title.
    public init(_ title: Text, @ViewBuilder content: @escaping () -> Content) { self.content = content }
    /// Creates a window group with a title.
    public init(_ titleKey: LocalizedStringKey, @ViewBuilder content: @escaping () -> Content) {
        self.content = content
    }
    /// Creates a window group with a title.
    @_disfavoredOverload public init<S>(_ title: S, @ViewBuilder content: @escaping () -> Content)
    where S: StringProtocol {
        self.content = content
    }

    @MainActor var windows: [SceneWindow] { [SceneWindow(id: id, view: content())] }
}

/// The scenes of a builder with several expressions.
nonisolated public struct _Scenes: Scene, KnownScene {
    let scenes: [any Scene]
    @MainActor var windows: [SceneWindow] { scenes.flatMap { $0.allWindows } }
}

/// A scene that modifies the windows of another scene.
nonisolated public struct _ModifiedScene<Content>: Scene, KnownScene where Content: Scene {
    let content: Content
    let modify: (any View) -> any View
    @MainActor var windows: [SceneWindow] {
        content.allWindows.map { SceneWindow(id: $0.id, view: modify($0.view)) }
    }
}

/// A result builder that combines scenes.
@resultBuilder public struct SceneBuilder {
    /// Returns the scene of an expression.
    public static func buildExpression<Content>(_ content: Content) -> Content where Content: Scene { content }
    /// Returns a single scene unchanged.
    public static func buildBlock<Content>(_ content: Content) -> Content where Content: Scene { content }
    /// Combines several scenes.
    public static func buildBlock<each Content>(_ content: repeat each Content) -> _Scenes
    where repeat each Content: Scene {
        var all: [any Scene] = []
        for scene in repeat each content { all.append(scene) }
        return _Scenes(scenes: all)
    }
}

extension Scene {
    nonisolated private func views(_ modify: @escaping (any View) -> any View) -> some Scene {
        _ModifiedScene(content: self, modify: modify)
    }

    /// Sets an environment value in all windows.
    nonisolated public func environment<V>(_ keyPath: WritableKeyPath<EnvironmentValues, V>, _ value: V) -> some Scene {
        views { AnyView($0).environment(keyPath, value) }
    }

    /// Runs an action with the new value when a value changes, in each window.
    nonisolated public func onChange<V>(of value: V, perform action: @escaping (_ newValue: V) -> Void) -> some Scene
    where V: Equatable {
        views { AnyView($0).onChange(of: value, perform: action) }
    }

    /// Runs an action with the old and the new value when a value changes, in each window.
    nonisolated public func onChange<V>(
        of value: V, initial: Bool = false, _ action: @escaping (_ oldValue: V, _ newValue: V) -> Void
    ) -> some Scene where V: Equatable {
        views { AnyView($0).onChange(of: value, initial: initial, action) }
    }

    /// Runs an action when a value changes, in each window.
    nonisolated public func onChange<V>(
        of value: V, initial: Bool = false, _ action: @escaping () -> Void
    ) -> some Scene where V: Equatable {
        views { AnyView($0).onChange(of: value, initial: initial, action) }
    }

    /// Adds menu commands. Has no effect in the browser host.
    nonisolated public func commands(content: () -> Void) -> some Scene { self }
}

#if canImport(OpenCombine)
    import RegnumCombine

    extension Scene {
        /// Adds an object to the environment of all windows.
        nonisolated public func environmentObject<T>(_ object: T) -> some Scene where T: ObservableObject {
            views { AnyView($0).environmentObject(object) }
        }
    }
#endif

/// A window of an app. The dynamic properties of the app survive its evaluations.
package struct AppView<A: App>: View {
    var app: A
    let shared: SharedSlots?
    private let id: String?

    /// Creates the first window of an app, or the window with an identifier. All windows with the same slots share the
    /// values of the app's dynamic properties.
    package init(_ app: A, id: String? = nil, shared: SharedSlots? = nil) {
        (self.app, self.id, self.shared) = (app, id, shared)
    }

    /// The content of the window.
    package var body: some View {
        if let window = app.body.allWindows.first(where: { id == nil || $0.id == id }) { AnyView(window.view) }
    }
}

extension AppView: HoldsProperties, SharesSlots {}

extension App {
    /// Whether the app has a window with an identifier.
    package func hasWindow(_ id: String) -> Bool { body.allWindows.contains { $0.id == id } }
}
